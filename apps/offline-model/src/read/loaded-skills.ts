import { attributesOf } from './attributes.js';
import { parseJson } from './json-in-text.js';
import type { Loader } from './toolbox.js';
import type { AnsweredCall, Turn } from './turn.js';

/** Instructions by slug, from `<loaded_skills>` blocks of system messages and from results of the loading tool. */
export function readLoadedSkills(turn: Turn, loader: Loader | undefined): Map<string, string> {
  const loaded = new Map<string, string>();
  for (const text of [...turn.system, ...turn.asides]) fromBlocks(text, loaded);
  // Only the loading tool's results are believed: any other result is material, whatever tags it wears.
  for (const call of loader ? [...turn.callsBefore, ...turn.calls] : []) {
    if (call.name !== loader!.name) continue;
    if (fromBlocks(call.result, loaded) === 0) fromResult(call, loader!, loaded);
  }
  return loaded;
}

/** The slug that a call of the loading tool asked for. */
export function slugAskedFor(call: AnsweredCall, loader: Loader): string | undefined {
  const asked = parseJson(call.arguments) as Record<string, unknown> | undefined;
  const slug = asked?.[loader.parameter];
  return typeof slug === 'string' ? slug : undefined;
}

function fromBlocks(text: string, loaded: Map<string, string>): number {
  let count = 0;
  for (const block of text.matchAll(/<loaded_skills\b[^>]*>((?:(?!<loaded_skills\b)[\s\S])*?)<\/loaded_skills>/g)) {
    for (const element of block[1]!.matchAll(/<((?:loaded_)?skill)\b([^>]*)>([\s\S]*?)<\/\1>/g)) {
      const attributes = attributesOf(element[2]!);
      const slug = attributes.slug ?? attributes.name ?? attributes.id;
      if (!slug) continue;
      // "slug@version" names the same skill.
      loaded.set(slug.split('@')[0]!, element[3]!.trim());
      count++;
    }
  }
  return count;
}

function fromResult(call: AnsweredCall, loader: Loader, loaded: Map<string, string>): void {
  const slug = slugAskedFor(call, loader);
  if (!slug) return;
  const parsed = parseJson(call.result);
  if (typeof parsed === 'object' && parsed !== null) {
    const instructions = (parsed as Record<string, unknown>).instructions;
    if (typeof instructions === 'string') loaded.set(slug, instructions);
    return;
  }
  // An acknowledgement is one short line; instructions have steps or headings.
  if (/^\s*(?:\d+[.)]\s|#{1,6}\s)/m.test(call.result)) loaded.set(slug, call.result);
}
