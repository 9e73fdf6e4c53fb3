import { countWords } from '../text/words.js';

/** A user's message, parted into what is asked and what was pasted as material. */
export interface Asked {
  request: string;
  pasted: string;
}

const longRequest = 60;
const shortRequest = 40;
const leastPasted = 12;

/** Quoting marks part surely; otherwise the first (or last) short paragraph is the request and the rest is material. */
export function splitRequest(message: string): Asked {
  return fenced(message) ?? paragraphs(message) ?? afterColon(message) ?? { request: message.trim(), pasted: '' };
}

function fenced(message: string): Asked | undefined {
  const match =
    /(```|~~~|""")[^\n]*\n([\s\S]+?)\n?\1/.exec(message) ?? /<(document|text|material|content)>\n?([\s\S]+?)<\/\1>/i.exec(message);
  if (!match || countWords(match[2]!) < leastPasted) return undefined;
  const request = (message.slice(0, match.index) + message.slice(match.index + match[0].length)).trim();
  return countWords(request) > 0 ? { request, pasted: match[2]!.trim() } : undefined;
}

function paragraphs(message: string): Asked | undefined {
  const parts = message.trim().split(/\n\s*\n/);
  if (parts.length < 2) return lines(message);
  const [first, rest] = [parts[0]!, parts.slice(1).join('\n\n')];
  if (countWords(first) <= longRequest && !first.startsWith('#'))
    return countWords(rest) >= leastPasted ? { request: first, pasted: rest } : undefined;
  const last = parts.at(-1)!;
  return countWords(last) <= shortRequest ? { request: last, pasted: parts.slice(0, -1).join('\n\n') } : undefined;
}

function lines(message: string): Asked | undefined {
  const at = message.trim().indexOf('\n');
  if (at < 0) return undefined;
  const [first, rest] = [message.trim().slice(0, at), message.trim().slice(at + 1)];
  return countWords(first) <= longRequest && countWords(rest) >= leastPasted ? { request: first, pasted: rest } : undefined;
}

function afterColon(message: string): Asked | undefined {
  const match = /^([^:]{3,200}):\s+([\s\S]+)$/.exec(message.trim());
  if (!match || countWords(match[1]!) > longRequest || countWords(match[2]!) < leastPasted) return undefined;
  return { request: match[1]!, pasted: match[2]! };
}
