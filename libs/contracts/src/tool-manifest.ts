import { z } from 'zod';
import { digest, executorName, jsonSchema, profileName, toolEffect, toolName } from './words.js';

/** One tool as its executor announces it. */
export const toolManifest = z.object({
  name: toolName,
  profile: profileName,
  effect: toolEffect,
  description: z.string().min(1).max(1024),
  inputSchema: jsonSchema,
  timeoutMs: z.number().int().positive().max(600_000),
  /** SHA-256 over the canonical JSON of name, profile, effect, description and input schema. */
  schemaDigest: digest,
});
export type ToolManifest = z.infer<typeof toolManifest>;

/** Milliseconds between two announcements of a living executor; three missed ones make it gone. */
export const heartbeatMs = 5_000;

/** What an executor says of itself on `announce.v1.<executor>`. A proposal: an operator's approval makes tools usable. */
export const announcement = z.object({
  executor: executorName,
  version: z.string(),
  instance: z.string(),
  /** `leaving`: this instance drains and wants no new calls. */
  state: z.enum(['serving', 'leaving']),
  tools: z.array(toolManifest),
});
export type Announcement = z.infer<typeof announcement>;
