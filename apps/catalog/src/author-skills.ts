import type * as calls from '@skillgate/contracts/calls/skill-versions';
import type { SkillFinding } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { holds, type Action } from '@skillgate/gating/may';
import { permit } from '@skillgate/gating/permit';
import { moveOn, shown, writeDraft, type AccountSkillRow } from './account-skill-store.js';
import type { CatalogRoom } from './catalog-room.js';
import { fetchPackage } from './fetch-package.js';
import { errorsIn, judgePackage, vocabularyOf } from './judge-package.js';
import { unknownSkill } from './load-skill.js';
import type { SkillVersion } from './skill-version.js';

const authoring = 'skill-authoring';

/** Keeps a package as the draft of its author. Refusals: as the contract of the call says. */
export async function save(room: CatalogRoom, { authority, artifact, mode }: CallParsedInput<typeof calls.saveAccountSkill>): Promise<CallAnswer<typeof calls.saveAccountSkill>> {
  const { account, user, actor, capabilities } = await author(room, authority, 'save-account-skill');
  const [files, vocabulary] = await Promise.all([fetchPackage(room.ask, authority, artifact), vocabularyOf(room)]);
  const { skills, unused } = judgePackage(files, mode, vocabulary);
  const [judged] = skills;
  if (!judged || skills.length > 1) throw refuse('one-skill-only', `A draft is one skill, and the package holds ${skills.length}. Upload them one by one.`);
  const { slug, version } = judged.skill;
  const findings = [...judged.findings, ...bounds(judged.skill, capabilities)];
  await requireFree(room, slug);
  const row = await room.accountSkills.change(account, slug, actor, async (sql, rows) => {
    if (rows.some((one) => one.author !== user)) throw taken(slug);
    const known = rows.find((one) => one.version === version);
    if (rows.some(({ status }) => status === 'review')) throw refuse('in-review', `"${slug}" is being reviewed. Ask an admin to give it back before you change it.`);
    if (known && known.status !== 'draft') throw refuse('version-exists', `${slug}@${version} was published and never changes. Raise skillgate.version.`);
    await writeDraft(sql, account, user, { ...judged, findings });
    return { action: 'save-account-skill', version, before: known ? { status: 'draft', digest: known.digest } : null, after: { status: 'draft', digest: judged.skill.digest } };
  });
  return { ...shown(row), unused };
}

export async function submit(room: CatalogRoom, { authority, slug }: CallParsedInput<typeof calls.submitAccountSkill>): Promise<CallAnswer<typeof calls.submitAccountSkill>> {
  const { account, user, actor } = await author(room, authority, 'submit-account-skill');
  const shadowed = (await room.shelf.lookAgain()).has(slug);
  const row = await room.accountSkills.change(account, slug, actor, async (sql, rows) => {
    if (!rows.some((one) => one.author === user)) throw unknownSkill(slug);
    const draft = rows.find(({ status }) => status === 'draft');
    if (!draft) throw refuse('not-a-draft', `"${slug}" has no draft. Save one first.`);
    if (shadowed) throw taken(slug); // the platform came to use the name since it was saved
    requireSound(draft);
    await moveOn(sql, draft, { status: 'review', current: false, reviewer: null, note: null });
    return { action: 'submit-account-skill', version: draft.version, before: { status: 'draft' }, after: { status: 'review', digest: draft.digest } };
  });
  return shown(row);
}

/** An admin who is the author may do both; the audit log then names the same user twice. What the account may use is asked again. */
export async function review(room: CatalogRoom, { authority, slug, verdict, note }: CallParsedInput<typeof calls.reviewAccountSkill>): Promise<CallAnswer<typeof calls.reviewAccountSkill>> {
  const { account, user, policyEpoch } = await room.checkTicket(authority);
  const actor = await permit(room.checkTicket, authority, 'review-account-skill', { account });
  const { capabilities } = await room.entitlements.of(account, policyEpoch);
  if (verdict === 'publish') await requireFree(room, slug);
  const row = await room.accountSkills.change(account, slug, actor, async (sql, rows) => {
    if (rows.length === 0) throw unknownSkill(slug);
    const waiting = rows.find(({ status }) => status === 'review');
    if (!waiting) throw refuse('not-in-review', `"${slug}" waits for no review. Its author submits it with POST /api/v1/account-skills/${slug}/submit.`);
    const { version, author: wrote, digest } = waiting;
    const before = { status: 'review', author: wrote, offered: rows.find(({ current }) => current)?.version ?? null };
    if (verdict === 'return') {
      await moveOn(sql, waiting, { status: 'draft', current: false, reviewer: user, note: note ?? null });
      return { action: 'return-account-skill', version, before, after: { status: 'draft', reviewer: user, note: note ?? null } };
    }
    requireSound({ ...waiting, findings: [...waiting.findings, ...bounds({ ...waiting, hidden: false }, capabilities)] });
    await moveOn(sql, waiting, { status: 'published', current: true, reviewer: user, note: note ?? null });
    return { action: 'publish-account-skill', version, before, after: { status: 'published', reviewer: user, reviewedByAuthor: user === wrote, digest } };
  });
  await room.shelfOf(account, true); // whoever asks here next sees it
  return shown(row);
}

export async function retireOwn(room: CatalogRoom, { authority, slug, reason }: CallParsedInput<typeof calls.retireAccountSkill>): Promise<CallAnswer<typeof calls.retireAccountSkill>> {
  const { account, user } = await room.checkTicket(authority);
  const actor = await permit(room.checkTicket, authority, 'retire-account-skill', { account });
  const row = await room.accountSkills.change(account, slug, actor, async (sql, rows) => {
    const offered = rows.find(({ current }) => current);
    if (!offered) throw unknownSkill(slug);
    await moveOn(sql, offered, { status: 'retired', current: false, reviewer: user, note: reason });
    return { action: 'retire-account-skill', version: offered.version, before: { status: 'published' }, after: { status: 'retired', reason } };
  });
  await room.shelfOf(account, true);
  return shown(row);
}

export async function listOwn(room: CatalogRoom, { authority, slug }: CallParsedInput<typeof calls.listAccountSkills>): Promise<CallAnswer<typeof calls.listAccountSkills>> {
  const { account, user, roles = [] } = await room.checkTicket(authority);
  await permit(room.checkTicket, authority, 'list-account-skills', { account });
  const all = await room.accountSkills.all(account, slug);
  const seen = all.filter(({ status, author: wrote }) => status === 'published' || status === 'retired' || wrote === user || holds(roles, 'admin'));
  if (slug !== undefined && seen.length === 0) throw unknownSkill(slug);
  const platform = await room.shelf.lookAgain();
  return { skills: seen.map((row) => (row.status !== 'retired' && platform.has(row.slug) ? { ...shown(row), current: false, shadowed: true, why: shadowedBecause(row.slug) } : shown(row))) };
}

async function author(room: CatalogRoom, authority: string, action: Action): Promise<Pick<TicketClaims, 'account' | 'user'> & { actor: Awaited<ReturnType<typeof permit>>; capabilities: readonly string[] }> {
  const { account, user, policyEpoch } = await room.checkTicket(authority);
  const actor = await permit(room.checkTicket, authority, action, { account, user });
  const { capabilities } = await room.entitlements.of(account, policyEpoch);
  if (!capabilities.includes(authoring)) {
    throw refuse('skill-authoring-missing', `Writing skills needs the capability "${authoring}", and the account's plan has it not. Ask who runs this installation.`);
  }
  return { account, user, actor, capabilities };
}

/** Visible or hidden, offered or gone: whoever asks learns only that the name is not free. */
async function requireFree({ shelf }: CatalogRoom, slug: string): Promise<void> {
  if ((await shelf.lookAgain()).has(slug)) throw taken(slug);
}

const shadowedBecause = (slug: string): string => `The platform has a skill called "${slug}" since, and this one is offered to nobody any more. Save it under another name.`;

const taken = (slug: string): HouseError => refuse('slug-taken', `The name "${slug}" is taken. Choose another one, in the header and for the folder.`);

function requireSound({ slug, findings }: Pick<AccountSkillRow, 'slug' | 'findings'>): void {
  const errors = errorsIn(findings);
  if (errors.length === 0) return;
  throw refuse('skill-has-errors', `"${slug}" cannot go on: ${errors.map(({ file, line, message }) => `${file}:${line}: ${message}`).join(' ')}`.slice(0, 2_000), { findings: errors.slice(0, 100) });
}

/** What a skill of an account may ask for: nothing beyond what the account has been given, and nothing that hides it from the account's admins. */
function bounds({ slug, hidden, requires }: Pick<SkillVersion, 'slug' | 'hidden' | 'requires'>, capabilities: readonly string[]): SkillFinding[] {
  const finding = (rule: string, message: string, advice: string): SkillFinding => ({ rule, level: 'error', slug, file: 'SKILL.md', line: 1, column: 1, message, advice });
  const missing = requires.capabilities.filter((need) => !need.split('|').some((one) => capabilities.includes(one)));
  return [
    ...missing.map((need) => finding('capability-beyond', `It requires the capability "${need}", which the account has not.`, 'Leave it out, or ask who runs this installation.')),
    ...(hidden ? [finding('hidden-own', 'A skill of an account cannot be hidden.', 'Remove skillgate.hidden.')] : []),
  ];
}
