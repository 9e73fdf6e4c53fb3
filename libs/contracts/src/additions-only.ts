/** What changed between two JSON documents of one contract: `breaking` may never happen within a major version. */
export interface Changes {
  breaking: string[];
  additions: string[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const prose = new Set(['description', 'title', '$schema']); // says something to people, nothing on the wire

/**
 * Compares a pinned JSON Schema with today's. Allowed are new properties that nobody has to send, and new entries of
 * `refusals`, which callers treat like any other refusal. Everything else is breaking: an old reader would stumble.
 */
export function compareWithPin(pinned: Json, now: Json, path = ''): Changes {
  const changes: Changes = { breaking: [], additions: [] };
  const at = path || 'the contract';
  if (Array.isArray(pinned) && Array.isArray(now) && pinned.length === now.length) {
    pinned.forEach((item, index) => merge(changes, compareWithPin(item, now[index] ?? null, `${path}[${index}]`)));
  } else if (isObject(pinned) && isObject(now)) {
    compareObjects(pinned, now, path, changes);
  } else if (JSON.stringify(pinned) !== JSON.stringify(now)) {
    changes.breaking.push(`${at} was ${JSON.stringify(pinned)} and is ${JSON.stringify(now)}`);
  }
  return changes;
}

function compareObjects(pinned: Record<string, Json>, now: Record<string, Json>, path: string, changes: Changes): void {
  for (const key of new Set([...Object.keys(pinned), ...Object.keys(now)])) {
    const inside = path ? `${path}.${key}` : key;
    const [before, after] = [pinned[key], now[key]];
    if (key === 'properties' && isObject(before) && isObject(after)) compareProperties(before, after, inside, changes);
    else if (key === 'required') compareRequired(pinned, now, inside, changes);
    else if (key === 'refusals' && Array.isArray(before) && Array.isArray(after)) compareRefusals(before, after, changes);
    else if (prose.has(key) && typeof (before ?? after) === 'string') continue;
    else if (before === undefined) changes.breaking.push(`${inside} is new: ${JSON.stringify(after)}`);
    else if (after === undefined) changes.breaking.push(`${inside} is gone`);
    else merge(changes, compareWithPin(before, after, inside));
  }
}

function compareProperties(before: Record<string, Json>, after: Record<string, Json>, path: string, changes: Changes): void {
  for (const [name, schema] of Object.entries(before)) {
    const today = after[name];
    if (today === undefined) changes.breaking.push(`${path}.${name} is gone`);
    else merge(changes, compareWithPin(schema, today, `${path}.${name}`));
  }
  for (const name of Object.keys(after)) if (!(name in before)) changes.additions.push(`${path}.${name}`);
}

function compareRequired(pinned: Record<string, Json>, now: Record<string, Json>, path: string, changes: Changes): void {
  const [before, after] = [names(pinned.required), names(now.required)];
  for (const name of after) if (!before.includes(name)) changes.breaking.push(`${path}: "${name}" must be sent now; make it optional`);
  for (const name of before) {
    const stillThere = isObject(now.properties) && name in now.properties;
    if (stillThere && !after.includes(name)) changes.breaking.push(`${path}: "${name}" may be missing now, and old readers need it`);
  }
}

function compareRefusals(before: Json[], after: Json[], changes: Changes): void {
  for (const slug of before) if (!after.includes(slug)) changes.breaking.push(`refusal "${String(slug)}" is gone; slugs are frozen once published`);
  for (const slug of after) if (!before.includes(slug)) changes.additions.push(`refusal "${String(slug)}"`);
}

const isObject = (value: Json | undefined): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value);
const names = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

function merge(into: Changes, more: Changes): void {
  into.breaking.push(...more.breaking);
  into.additions.push(...more.additions);
}
