import { z } from 'zod';
import { escapeUnseen } from './plain-text.js';
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

/** What is wrong with an announced tool that is no manifest at all. */
export interface MalformedTool {
  /** As announced, cut to 100 characters. */
  readonly name: string;
  /** One sentence for the executor's author. */
  readonly problem: string;
}

/** The frame of an announcement. Each tool is read alone, so that a bad one leaves the others be. */
export const announcementFrame = announcement.extend({ tools: z.array(z.unknown()) });

export type HeardAnnouncement = Announcement & { readonly malformed: readonly MalformedTool[] };

export function readAnnouncement({ tools, ...frame }: z.infer<typeof announcementFrame>): HeardAnnouncement {
  const read = tools.map((tool) => ({ tool, parsed: toolManifest.safeParse(tool) }));
  return {
    ...frame,
    tools: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    malformed: read.flatMap(({ tool, parsed }, at) => (parsed.success ? [] : [malformedTool(tool, at, parsed.error)])),
  };
}

const manyCharacters = 100; // of a name that may be anything

function malformedTool(tool: unknown, at: number, { issues }: z.ZodError): MalformedTool {
  const { name, description } = (typeof tool === 'object' && tool !== null ? tool : {}) as { name?: unknown; description?: unknown };
  const called = typeof name === 'string' && name !== '' ? escapeUnseen(name.slice(0, manyCharacters)) : `number ${at + 1} of the announcement`;
  const fields = new Set(issues.map(({ path }) => path[0]));
  const problems: string[] = [];
  if (fields.has('name')) problems.push(nameProblem(name));
  if (fields.has('description') && typeof description === 'string' && description !== '')
    problems.push(`the description has ${description.length} characters, and model providers take 1024; say the rest in a skill`);
  for (const { path, message } of issues) {
    const [field] = path;
    if (field !== 'name' && !(field === 'description' && typeof description === 'string' && description !== ''))
      problems.push(`${path.join('.') || 'the tool'}: ${message}`);
  }
  return { name: called, problem: escapeUnseen(problems.join('; ')) };
}

function nameProblem(name: unknown): string {
  const rule = 'a tool name has lower-case letters, digits and "_", begins with a letter and is at most 64 long';
  const better = typeof name === 'string' ? suggestName(name) : undefined;
  return better ? `${rule}: call it "${better}"` : rule;
}

/** The nearest name within the rule; undefined when nothing of it can stay. */
export function suggestName(name: string): string | undefined {
  const better = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 64);
  return better === '' ? undefined : better;
}
