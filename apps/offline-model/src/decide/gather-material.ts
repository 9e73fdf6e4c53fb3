import type { OfferedTool } from '../protocol/chat-request.js';
import { readMaterial, type Material } from '../compose/material.js';
import type { Attachment } from '../read/attachments.js';
import { failureOf, textOf, wasCut } from '../read/results.js';
import type { AnsweredCall } from '../read/turn.js';
import { traitOf } from './tool-traits.js';

export interface Gathered {
  materials: Material[];
  /** Names of files of which only a part was read. */
  cut: string[];
}

/** What reading tools brought in this turn, then what the user pasted. Pasted text rules when there are no files. */
export function gatherMaterial(calls: AnsweredCall[], tools: OfferedTool[], attachments: Attachment[], pasted: string): Gathered {
  const readers = new Set(tools.filter((tool) => traitOf(tool) === 'reader').map((tool) => tool.name));
  const gathered: Gathered = { materials: [], cut: [] };
  for (const call of calls) {
    if (!readers.has(call.name) || failureOf(call) !== undefined) continue;
    const file = attachments.find((attachment) => call.arguments.includes(attachment.id));
    const text = textOf(call.result);
    if (text.trim() === '') continue;
    const name = file?.name || 'the file';
    gathered.materials.push(readMaterial({ name, mime: file?.mime ?? '', text }));
    if (wasCut(call.result)) gathered.cut.push(name);
  }
  if (pasted !== '') gathered.materials.push(readMaterial({ name: '', mime: '', text: pasted }));
  return gathered;
}
