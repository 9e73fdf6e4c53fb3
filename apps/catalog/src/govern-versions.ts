import type * as calls from '@skillgate/contracts/calls/skill-versions';
import { filePieceBytes } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { permit } from '@skillgate/gating/permit';
import type { CatalogRoom } from './catalog-room.js';
import { unknownSkill } from './load-skill.js';
import type { SkillVersionRow } from './skill-version-row.js';

/** What operators ask and say of published versions. Refusals: as the contracts of each call say. */
export async function retire(room: CatalogRoom, { authority, slug, version, reason }: CallParsedInput<typeof calls.retireSkill>): Promise<CallAnswer<typeof calls.retireSkill>> {
  const actor = await permit(room.checkTicket, authority, 'retire-skill');
  const retired = await room.publication.retire(slug, version, reason, actor);
  await room.shelf.lookAgain();
  return retired;
}

export async function offerVersion(room: CatalogRoom, { authority, slug, version }: CallParsedInput<typeof calls.makeCurrent>): Promise<CallAnswer<typeof calls.makeCurrent>> {
  const actor = await permit(room.checkTicket, authority, 'make-current');
  const made = await room.publication.makeCurrent(slug, version, actor);
  await room.shelf.lookAgain();
  return made;
}

/** An account's word goes before the operator's, since it concerns that account's chats alone. */
export async function sayUpdatePolicy(room: CatalogRoom, { authority, slug, account, policy }: CallParsedInput<typeof calls.setUpdatePolicy>): Promise<CallAnswer<typeof calls.setUpdatePolicy>> {
  if (account === undefined) {
    const actor = await permit(room.checkTicket, authority, 'set-update-policy');
    await room.publication.setUpdatePolicy(slug, policy ?? 'pin', actor);
    await room.shelf.lookAgain();
    return { slug, policy: policy ?? 'pin', by: policy === null ? 'default' : 'operator' };
  }
  const actor = await permit(room.checkTicket, authority, 'set-account-update-policy', { account });
  const shelf = await room.shelfOf(account);
  if (policy !== null && shelf.get(slug)?.facts.hidden !== false) throw unknownSkill(slug);
  await room.accountSkills.setUpdatePolicy(account, slug, policy, actor);
  const platform = (await room.shelf.lookAgain()).get(slug)?.updates ?? 'pin';
  return { slug, policy: policy ?? platform, by: policy !== null ? 'account' : platform === 'pin' ? 'default' : 'operator' };
}

export async function versionsOf(room: CatalogRoom, { authority, slug }: CallParsedInput<typeof calls.listVersions>): Promise<CallAnswer<typeof calls.listVersions>> {
  await permit(room.checkTicket, authority, 'read-versions');
  const { versions, ...settings } = await room.publication.versions(slug);
  return { slug, ...settings, versions: versions.map(factsOf) };
}

export async function versionOf(room: CatalogRoom, { authority, slug, version }: CallParsedInput<typeof calls.readVersion>): Promise<CallAnswer<typeof calls.readVersion>> {
  await permit(room.checkTicket, authority, 'read-versions');
  const row = await room.publication.version(slug, version);
  const { title, description, hidden, requires, body, files } = row;
  return { slug, ...factsOf(row), title, description, hidden, requires, instructions: body, files };
}

/** Names are those of the stored list: nothing is put together from parts, so nothing leads out of the package. */
export async function fileOf(room: CatalogRoom, { authority, slug, version, path, offset }: CallParsedInput<typeof calls.readVersionFile>): Promise<CallAnswer<typeof calls.readVersionFile>> {
  await permit(room.checkTicket, authority, 'read-versions');
  await room.publication.version(slug, version);
  const bytes = await room.store.file(slug, version, path);
  if (!bytes) throw refuse('unknown-file', `${slug}@${version} has no file ${JSON.stringify(path)}. GET /api/v1/skills/${slug}/versions/${version} names its files.`);
  const end = offset + filePieceBytes;
  return { path, bytes: bytes.length, base64: bytes.subarray(offset, end).toString('base64'), next: end < bytes.length ? end : null };
}

const factsOf = ({ version, digest, origin, current, inDirectory, publishedAt, retiredAt, retiredReason }: SkillVersionRow) => ({
  ...{ version, digest: digest!, origin, current, inDirectory, retiredReason },
  publishedAt: publishedAt.toISOString(),
  retiredAt: retiredAt?.toISOString() ?? null,
});
