import type { OfferedTool } from '../protocol/chat-request.js';
import type { Attachment } from '../read/attachments.js';
import { parseJson } from '../read/json-in-text.js';
import type { AnsweredCall } from '../read/turn.js';
import { stem } from '../text/stem.js';
import { stemsOf } from '../text/words.js';
import type { ReadFile } from './gather-material.js';
import { kindsIn, kindsOf, opens, traitOf } from './tool-traits.js';

/** A long file is read on this often; then there is still room for making and naming a file within the steps of a turn. */
const mostPages = 5;
/** Tools that only look may be called on the instructions' word; what changes the world needs the user's. */
const looks = new Set(['search', 'list', 'find', 'get', 'fetch', 'look', 'show', 'read', 'count', 'query'].map(stem));

export interface Situation {
  /** Tools that the instructions name, in their order. */
  ordered: OfferedTool[];
  attachments: Attachment[];
  /** Calls of this turn, opened from a bridge. */
  calls: AnsweredCall[];
  /** Files as far as they were read. */
  files: ReadFile[];
  /** Can a page be composed from what is there? */
  hasMaterial: boolean;
  request: string;
}

/** `offset`: where to read on in a file that came in part. */
export type NextCall = { tool: OfferedTool; artifacts: string[]; offset?: number };

/** The first tool in the instructions' order that fits the material and has not done its part; undefined when all is done. */
export function nextCall(situation: Situation): NextCall | undefined {
  const writer = chooseWriter(situation);
  for (const tool of situation.ordered) {
    const done = situation.calls.filter((call) => call.name === tool.name);
    const trait = traitOf(tool);
    if (trait === 'reader') {
      const read = nextPage(tool, situation);
      if (read) return read;
    } else if (trait === 'writer') {
      // Once: a second file of the same would be nobody's wish.
      if (tool === writer && done.length === 0 && situation.hasMaterial)
        return { tool, artifacts: situation.attachments.map((file) => file.id) };
    } else if (done.length === 0 && mayCall(tool, situation.request))
      return { tool, artifacts: situation.attachments.map((file) => file.id) };
  }
  return undefined;
}

/** Files that no tool of the instructions can open. */
export function unreadable(situation: Pick<Situation, 'ordered' | 'attachments'>): Attachment[] {
  const readers = situation.ordered.filter((tool) => traitOf(tool) === 'reader');
  return situation.attachments.filter((file) => !readers.some((tool) => opens(tool, file)));
}

/** The next file that this tool opens, or the next page of one; no page is asked for twice. */
function nextPage(tool: OfferedTool, { attachments, calls, files, ordered }: Situation): NextCall | undefined {
  const readers = new Set(ordered.filter((candidate) => traitOf(candidate) === 'reader').map((candidate) => candidate.name));
  const open = attachments.filter((file) => opens(tool, file));
  for (const file of open) {
    const own = calls.filter((call) => readers.has(call.name) && call.arguments.includes(file.id));
    if (own.length === 0) return { tool, artifacts: [file.id] };
    const offset = files.find((read) => read.attachment.id === file.id)?.next;
    const moved =
      offset !== undefined &&
      own.every((call) => offset > (Number((parseJson(call.arguments) as { offset?: unknown } | undefined)?.offset) || 0));
    if (moved && own.length < mostPages && own.some((call) => call.name === tool.name)) return { tool, artifacts: [file.id], offset };
  }
  return undefined;
}

/** One file is made: of the kind that the user named, else by the tool that the instructions name first. */
function chooseWriter({ ordered, request, attachments }: Situation): OfferedTool | undefined {
  const writers = ordered.filter((tool) => traitOf(tool) === 'writer');
  // A kind that only describes what was given is no wish: "this CSV as a Word file" wants Word.
  const asked = [...kindsIn(attachments.reduce((text, file) => text.replaceAll(file.name, ' '), request))];
  const wishes = asked.length > 1 ? asked.filter((kind) => wishedFor(kind, request)) : asked;
  const fitting = writers.filter((tool) => [...kindsOf(tool)].some((kind) => (wishes.length > 0 ? wishes : asked).includes(kind)));
  return fitting[0] ?? writers[0];
}

/** "as a Word file", "into Markdown", "a .docx": words of making stand before the kind. */
function wishedFor(kind: string, request: string): boolean {
  const words = request.split(/\s+/);
  return words.some(
    (word, i) =>
      kindsIn(words.slice(i, i + 2).join(' ')).has(kind) &&
      /\b(?:as|into|to|in|make|create|write|produce|give|want|send)\b/i.test(words.slice(Math.max(0, i - 3), i).join(' ')),
  );
}

function mayCall(tool: OfferedTool, request: string): boolean {
  const verbs = [tool.description.trim().split(/\s+/)[0] ?? '', ...tool.name.split(/[_-]/)];
  if (verbs.some((verb) => looks.has(stem(verb.toLowerCase())))) return true;
  const asked = new Set(stemsOf(request));
  return verbs.some((verb) => stemsOf(verb).some((term) => asked.has(term)));
}
