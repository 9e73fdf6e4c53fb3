import type { Principal } from '@skillgate/contracts/calls/accounts';
import { findChat, type startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallInput } from '@skillgate/contracts/define-call';
import { isUnavailable } from '@skillgate/contracts/refusal';
import { transcriptOf, withMessage } from '@skillgate/contracts/transcript-hash';
import { mintAuthority } from '../ticket.js';
import type { TurnHouse } from './turn-house.js';

type Messages = CallInput<typeof startTurn>['messages'];
type Transcript = NonNullable<CallInput<typeof startTurn>['transcript']>;

/** Beginnings that are asked for: of a longer transcript the last ones. */
const most = 500;

export interface RecognisedClient {
  transcript: Transcript;
  /** The chat that goes on, with what is new in it. */
  goesOn?: { chat: string; messages: Messages };
}

/**
 * Finds the chat of a client that sends its whole transcript, so that what the chat has loaded lives on. Where nobody can be asked, the
 * transcript is a new chat.
 */
export async function recogniseClient({ wire, signer, log }: Pick<TurnHouse, 'wire' | 'signer' | 'log'>, principal: Principal, messages: Messages): Promise<RecognisedClient> {
  const { account, user, key, issuer, subject } = principal;
  const hashes: string[] = [];
  for (const message of messages) hashes.push(withMessage(hashes.at(-1) ?? transcriptOf(account, user, key ?? `${issuer} ${subject}`), message));
  const hash = hashes.at(-1)!;
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  // One that ends with an answer says nothing new, and is refused as such.
  if (answers.length === 0 || answers.at(-1) === messages.length - 1) return { transcript: { how: 'new', hash } };
  try {
    const beginnings = answers.slice(-most).map((at) => hashes[at]!);
    const { chat, after, ...found } = await wire.call(findChat, { authority: await mintAuthority(signer, principal), beginnings });
    const transcript = { ...found, hash, ...(after && { after }) };
    return chat ? { transcript, goesOn: { chat, messages: messages.slice(answers.at(-1)! + 1) } } : { transcript };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn({ err: error }, 'the chat of a transcript could not be looked for; it is a new one');
    return { transcript: { how: 'new', hash } };
  }
}
