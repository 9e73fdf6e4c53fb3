import { z } from 'zod';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { keepable, plainText } from '../plain-text.js';
import { skillRequirements } from '../tokens.js';
import { accountId, artifactId, digest, jws, skillSlug, userId } from '../words.js';

/** What is worth a look in a package, where, and what to do about it. */
export const skillFinding = z.object({
  rule: z.string(),
  level: z.enum(['error', 'warning']),
  slug: z.string(),
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
  advice: z.string(),
});
export type SkillFinding = z.infer<typeof skillFinding>;

/**
 * What becomes of chats that hold an older version when a newer one is offered: they keep it (`pin`), get the new one with their next turn
 * (`next-turn`), or with the next step of a running one as well (`force`).
 */
export const updatePolicy = z.enum(['pin', 'next-turn', 'force']);
export type UpdatePolicy = z.infer<typeof updatePolicy>;

/** As the parser takes it: at most 100 characters, a semantic version. */
export const skillVersion = plainText(1, 100);

/** Why somebody did it, for those who ask later. */
const reason = keepable(z.string().trim().min(1).max(500));

/** A file's name within its package, as who asks writes it. */
export const filePath = keepable(z.string().max(500));

/** A file of a package. */
export const packageFile = z.object({ path: z.string(), bytes: z.number().int().nonnegative() });
export type PackageFileFacts = z.infer<typeof packageFile>;

/** A package as an artifact of who asks: a zip, or JSON `{ files: [{ path, text | base64 }] }`. */
const upload = { authority, artifact: artifactId, mode: z.enum(['strict', 'lenient']).default('strict') };
const uploadRefusals = ['skill-package-invalid', 'unknown-artifact', 'artifact-too-large'] as const;

const versionFacts = z.object({
  version: z.string(),
  digest,
  origin: z.enum(['directory', 'api', 'account']),
  current: z.boolean(),
  publishedAt: z.iso.datetime(),
  retiredAt: z.iso.datetime().nullable(),
  retiredReason: z.string().nullable(),
  /** True when the skills directory holds it. */
  inDirectory: z.boolean(),
});

/** Publishes skills of the platform from a package, all or none. What is published never changes. For operators. */
export const publishSkills = defineCall('call.v1.catalog.publish-skills', {
  input: z.object(upload),
  output: z.object({
    published: z.array(z.object({ slug: skillSlug, version: z.string(), digest, /** What was offered before. */ before: z.string().nullable() })),
    findings: z.array(skillFinding),
    /** Files that belong to no skill. */
    unused: z.array(z.string()),
  }),
  refusals: ['version-exists', 'version-retired', ...uploadRefusals, ...authorityRefusals],
  deadlineMs: 30_000,
});

/** Lints a package and writes nothing. */
export const validateSkills = defineCall('call.v1.catalog.validate-skills', {
  input: z.object(upload),
  output: z.object({
    skills: z.array(z.object({ folder: z.string(), version: z.string().nullable(), digest: digest.nullable(), /** False: publishing would refuse it. */ usable: z.boolean() })),
    errors: z.number().int(),
    warnings: z.number().int(),
    /** Cut where they are too many for one answer; the sums count all. */
    findings: z.array(skillFinding),
    /** Files that belong to no skill. */
    unused: z.array(z.string()),
  }),
  refusals: [...uploadRefusals, ...authorityRefusals],
  deadlineMs: 30_000,
});

/** Takes a version out of use for good: it is offered no more. Chats that pinned it keep it, save under `force`. */
export const retireSkill = defineCall('call.v1.catalog.retire-skill', {
  input: z.object({ authority, slug: skillSlug, /** Default: the offered one. */ version: skillVersion.optional(), reason }),
  output: z.object({ slug: skillSlug, version: z.string(), digest, retiredAt: z.iso.datetime(), /** What is offered now. */ offered: z.string().nullable() }),
  refusals: ['unknown-skill', 'unknown-version', 'version-retired', ...authorityRefusals],
});

/** Offers another version of a skill from now on, such as an older one. Null: whatever the skills directory holds, now and later. */
export const makeCurrent = defineCall('call.v1.catalog.make-current', {
  input: z.object({ authority, slug: skillSlug, version: skillVersion.nullable() }),
  output: z.object({ slug: skillSlug, version: z.string().nullable(), before: z.string().nullable() }),
  refusals: ['unknown-skill', 'unknown-version', 'version-retired', ...authorityRefusals],
});

export const listVersions = defineCall('call.v1.catalog.list-versions', {
  input: z.object({ authority, slug: skillSlug }),
  output: z.object({
    slug: skillSlug,
    updatePolicy,
    /** True: operators say by the API which version is offered, and the skills directory does not. */
    steered: z.boolean(),
    /** Newest first. */
    versions: z.array(versionFacts),
  }),
  refusals: ['unknown-skill', ...authorityRefusals],
});

export const readVersion = defineCall('call.v1.catalog.read-version', {
  input: z.object({ authority, slug: skillSlug, version: skillVersion }),
  output: versionFacts.extend({
    slug: skillSlug,
    title: z.string(),
    description: z.string(),
    hidden: z.boolean(),
    requires: skillRequirements,
    instructions: z.string(),
    files: z.array(packageFile),
  }),
  refusals: ['unknown-skill', 'unknown-version', ...authorityRefusals],
});

/** Bytes of one piece of a file; base64 of it stays under the message limit. */
export const filePieceBytes = 128 * 1024;

/** A file of a published version, piece by piece. */
export const readVersionFile = defineCall('call.v1.catalog.read-version-file', {
  input: z.object({ authority, slug: skillSlug, version: skillVersion, path: filePath, offset: z.number().int().nonnegative().default(0) }),
  output: packageFile.extend({ base64: z.string(), /** Offset of the next piece; null behind the last one. */ next: z.number().int().nullable() }),
  refusals: ['unknown-skill', 'unknown-version', 'unknown-file', ...authorityRefusals],
});

/** For all accounts by an operator, for one by its admin. Null takes an account's own word back. */
export const setUpdatePolicy = defineCall('call.v1.catalog.set-update-policy', {
  input: z.object({ authority, slug: skillSlug, account: accountId.optional(), policy: updatePolicy.nullable() }),
  output: z.object({ slug: skillSlug, policy: updatePolicy, /** Whose word counts. */ by: z.enum(['default', 'operator', 'account']) }),
  refusals: ['unknown-skill', ...authorityRefusals],
});

const accountSkillStatus = z.enum(['draft', 'review', 'published', 'retired']);
export type AccountSkillStatus = z.infer<typeof accountSkillStatus>;

/** One version of a skill that an account's users wrote. */
export const accountSkill = z.object({
  slug: skillSlug,
  version: z.string(),
  digest,
  status: accountSkillStatus,
  current: z.boolean(),
  title: z.string(),
  description: z.string(),
  author: userId,
  reviewer: userId.nullable(),
  /** Why it was given back or retired. */
  note: z.string().nullable(),
  findings: z.array(skillFinding),
  /** True in a list: the platform came to use the name, so that this one is not offered; `why` says what to do. */
  shadowed: z.boolean().optional(),
  why: z.string().optional(),
  changedAt: z.iso.datetime(),
});
export type AccountSkill = z.infer<typeof accountSkill>;

const authoring = ['skill-authoring-missing', ...authorityRefusals] as const;

/** Keeps one skill as the draft of its version, over an earlier draft of the same author. Findings are told; errors keep it a draft. */
export const saveAccountSkill = defineCall('call.v1.catalog.save-account-skill', {
  input: z.object(upload),
  output: accountSkill.extend({ unused: z.array(z.string()) }),
  refusals: ['slug-taken', 'version-exists', 'one-skill-only', 'in-review', ...uploadRefusals, ...authoring],
  deadlineMs: 30_000,
});

/** `draft` to `review`, by its author. */
export const submitAccountSkill = defineCall('call.v1.catalog.submit-account-skill', {
  input: z.object({ authority, slug: skillSlug }),
  output: accountSkill,
  refusals: ['unknown-skill', 'not-a-draft', 'slug-taken', 'skill-has-errors', ...authoring],
});

/** `review` to `published`, or back to `draft` with a note; by an admin of the account. */
export const reviewAccountSkill = defineCall('call.v1.catalog.review-account-skill', {
  input: z.object({ authority, slug: skillSlug, verdict: z.enum(['publish', 'return']), note: reason.optional() }),
  output: accountSkill,
  refusals: ['unknown-skill', 'not-in-review', 'slug-taken', 'skill-has-errors', ...authorityRefusals],
});

/** Takes the account's published version out of use for good. */
export const retireAccountSkill = defineCall('call.v1.catalog.retire-account-skill', {
  input: z.object({ authority, slug: skillSlug, reason }),
  output: accountSkill,
  refusals: ['unknown-skill', ...authorityRefusals],
});

/** Published ones, and drafts as far as they are the asker's own or the asker is an admin. */
export const listAccountSkills = defineCall('call.v1.catalog.list-account-skills', {
  input: z.object({ authority, slug: skillSlug.optional() }),
  output: z.object({ skills: z.array(accountSkill) }),
  refusals: ['unknown-skill', ...authorityRefusals],
});

/** A file that came with a loaded skill. Names are those of its package and nothing else; the receipt proves the load. */
export const readSkillFile = defineCall('call.v1.catalog.read-skill-file', {
  input: z.object({ ticket: jws, receipt: jws, path: filePath, modelUsesTools: z.boolean().default(true) }),
  output: packageFile.extend({ text: z.string(), /** True when the text is not all of the file. */ cut: z.boolean() }),
  refusals: ['ticket-invalid', 'ticket-expired', 'receipt-invalid', 'receipt-expired', 'foreign-receipt', 'skill-unmet', 'unknown-file', 'binary-file'],
});
