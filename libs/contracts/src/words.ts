import { z } from 'zod';

/** Agent Skills specification: lower-case letters, digits and single hyphens. */
export const skillSlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between them');

/** Names that OpenAI-compatible providers accept are wider; ours are the safe common part. */
export const toolName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and _, with a letter first');

export const profileName = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'must be letters and digits, with a lower-case letter first');

/** A NATS subject token: the executor's and its user's name. */
export const executorName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

export const skillState = z.enum(['always', 'available', 'never']);
export type SkillState = z.infer<typeof skillState>;

export const skillStates = z.record(skillSlug, skillState);
export type SkillStates = z.infer<typeof skillStates>;

/** An edit of many at once: null takes a state back, what is not named stays. */
export const skillStateEdit = z.record(skillSlug, skillState.nullable());
export type SkillStateEdit = z.infer<typeof skillStateEdit>;

export const toolEffect = z.enum(['read', 'write', 'external']);
export type ToolEffect = z.infer<typeof toolEffect>;

/** What becomes of a tool that is otherwise open: it runs, it waits for somebody's yes, it stays shut. From loose to strict. */
export const toolPolicy = z.enum(['allow', 'confirm', 'deny']);
export type ToolPolicy = z.infer<typeof toolPolicy>;

/** By the effect of a tool; an effect that is absent is not spoken of. */
export const effectPolicies = z.strictObject({ read: toolPolicy.optional(), write: toolPolicy.optional(), external: toolPolicy.optional() });
export type EffectPolicies = z.infer<typeof effectPolicies>;

/** Lower-case hexadecimal SHA-256. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A compact JWS (RFC 7515) signed with EdDSA. */
export const jws = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);

export const accountId = z.uuid();
export const userId = z.uuid();
export const chatId = z.uuid();
export const turnId = z.uuid();
export const artifactId = z.string().regex(/^art_[0-9a-f]{32}$/, 'must be the id of a file, art_ and 32 hexadecimal digits');

/** A JSON Schema document, passed through unread. */
export const jsonSchema = z.record(z.string(), z.unknown());
