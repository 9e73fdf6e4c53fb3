import type { readSkillFile } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import { receiptClaims, type ReceiptClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, type Signer, type Verifier } from '@skillgate/service-kit/signing';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { turnOf, type TurnTicket } from './check-ticket.js';
import { decidePinned } from './prepare-turn.js';
import { readable } from './sign-receipt.js';
import type { SkillVersion } from './skill-version.js';

/** Bytes of a file that a model gets at once: more would fill its window, and a message of the house. */
const mostBytes = 48 * 1024;

/**
 * A file that came with a loaded skill, as text. The receipt proves the load, for this very turn; whether the skill may still be used is decided anew.
 * The name must be one of the stored list, letter by letter. Refusals: as the contract of the call says.
 */
export async function readFileOf(room: CatalogRoom, input: CallParsedInput<typeof readSkillFile>): Promise<CallAnswer<typeof readSkillFile>> {
  const ticket = turnOf(await room.checkTicket(input.ticket));
  const receipt = await ownReceipt(room.signer, ticket, input.receipt);
  const [shelf, { situation }] = await Promise.all([room.shelfOf(ticket.account), situationOf(room, ticket, input)]);
  const pin = { slug: receipt.skill, version: receipt.version, digest: receipt.digest };
  const { decision, version } = await decidePinned(room, ticket.account, shelf, situation, pin, true);
  if (!version) throw refuse('skill-unmet', decision.unmet.map(({ message }) => message).join(' ') || `The skill "${pin.slug}" may not be used any more.`);
  // Under `force` the text in the context is about to be replaced; until then its own files are meant.
  const held = version.digest === pin.digest ? version : ((await room.store.pinned(pin)) ?? (await room.accountSkills.pinned(ticket.account, pin)) ?? version);
  const files = readable(held);
  if (!files.some(({ path }) => path === input.path)) throw unknownFile(held, files.map(({ path }) => path));
  const bytes = await bytesOf(room, ticket.account, held, input.path);
  if (!bytes) throw unknownFile(held, files.map(({ path }) => path));
  return { path: input.path, bytes: bytes.length, ...textOf(bytes, input.path) };
}

const bytesOf = ({ store, accountSkills }: CatalogRoom, account: string, { slug, version, source }: SkillVersion, path: string): Promise<Buffer | null> =>
  source === 'account' ? accountSkills.file(account, slug, version, path) : store.file(slug, version, path);

/** Cut between characters, never within one. */
function textOf(bytes: Buffer, path: string): { text: string; cut: boolean } {
  const cut = bytes.length > mostBytes;
  let end = Math.min(bytes.length, mostBytes);
  while (cut && end > 0 && (bytes[end]! & 0xc0) === 0x80) end--; // RFC 3629: a byte that goes on with a character
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
    if (!text.includes('\0')) return { text, cut };
  } catch {
    // said below
  }
  throw refuse('binary-file', `${JSON.stringify(path)} is no text and cannot be read here. Go on without it.`);
}

const unknownFile = ({ slug, version }: SkillVersion, paths: readonly string[]): HouseError =>
  refuse('unknown-file', `${slug}@${version} has no file of that name. Its files: ${paths.slice(0, 50).join(', ') || 'none'}.`);

async function ownReceipt(signer: Signer, ticket: TurnTicket, token: string): Promise<ReceiptClaims> {
  const verifier = verifiers.get(signer) ?? makeVerifier({ issuer: 'catalog', typ: 'receipt', schema: receiptClaims, fetchKeys: async () => signer.publicKeys() });
  verifiers.set(signer, verifier);
  const receipt = await verifier.verify(token);
  const same = receipt.ticket === ticket.jti && receipt.account === ticket.account && receipt.chat === ticket.chat && receipt.turn === ticket.turn;
  if (!same) throw refuse('foreign-receipt', 'This receipt was given for another turn. Show one of this turn.');
  return receipt;
}

const verifiers = new WeakMap<Signer, Verifier<ReceiptClaims>>();
