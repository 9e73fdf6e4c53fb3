import { readMaterial, type Material } from '../compose/material.js';
import type { OfferedTool } from '../protocol/chat-request.js';
import type { Attachment } from '../read/attachments.js';
import { parseJson } from '../read/json-in-text.js';
import { failureOf, pageOf, textOf } from '../read/results.js';
import type { AnsweredCall } from '../read/turn.js';
import { traitOf } from './tool-traits.js';

/** A file as far as it was read. */
export interface ReadFile {
  attachment: Attachment;
  /** Its pages, one after the other. */
  text: string;
  /** Where to read on; undefined at the end, or when the tool knows no pages. */
  next?: number;
  /** Not all of it came, or not yet. */
  partial: boolean;
}

/** What reading tools brought in this turn, file by file. */
export function readFiles(calls: AnsweredCall[], tools: OfferedTool[], attachments: Attachment[]): ReadFile[] {
  const readers = new Set(tools.filter((tool) => traitOf(tool) === 'reader').map((tool) => tool.name));
  const good = calls.filter((call) => readers.has(call.name) && failureOf(call) === undefined);
  return attachments.flatMap((attachment) => {
    const own = good.filter((call) => call.arguments.includes(attachment.id));
    if (own.length === 0) return [];
    const pages = own
      .map((call) => ({ at: offsetOf(call), text: textOf(call.result), ...pageOf(call.result) }))
      .sort((a, b) => a.at - b.at);
    const { next } = pages.at(-1)!;
    // A page that was cut by the house has a hole: the next one does not join on.
    const text = pages.map((page) => (page.cut ? `${page.text}\n\n` : page.text)).join('');
    return [{ attachment, text, next, partial: next !== undefined || pages.some((page) => page.cut) }];
  });
}

function offsetOf(call: AnsweredCall): number {
  const offset = (parseJson(call.arguments) as { offset?: unknown } | undefined)?.offset;
  return typeof offset === 'number' ? offset : 0;
}

/** Files, then what the user pasted. */
export function materialsOf(files: ReadFile[], pasted: string): Material[] {
  const read = files
    .filter((file) => file.text.trim() !== '')
    .map(({ attachment, text, partial }) => ({
      ...readMaterial({ name: attachment.name || 'the file', mime: attachment.mime, text }),
      partial,
    }));
  return pasted === '' ? read : [...read, readMaterial({ name: '', mime: '', text: pasted })];
}
