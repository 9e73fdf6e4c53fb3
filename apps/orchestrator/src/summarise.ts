import { setTimeout as pause } from 'node:timers/promises';
import { capResult } from '@skillgate/prompt/cap-result';
import { countTokens } from '@skillgate/prompt/count-tokens';
import type { ModelEntry } from '@skillgate/prompt/models';
import { summaryRequest } from '@skillgate/prompt/summary-prompt';
import { unavailable } from '@skillgate/contracts/refusal';
import { askModel, type ModelAnswer } from './ask-model.js';
import { incomplete } from './finish-reason.js';
import { nextTry } from './retry-model.js';
import { spend } from './spend.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/** Tokens of a summary: what a model is asked to keep to, with room for one that does not. */
const summaryTokens = 2_000;
/** Model calls for one summary. What is longer loses its middle. */
const mostPieces = 6;

export interface Summary {
  text: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Null where a model has no prices. */
  usd: number | null;
}

/**
 * A model's summary of a transcript, which may be longer than its window: piece by piece, each with the summary of those before.
 * Nothing of it is streamed to the user; what it uses is the turn's.
 *
 * @param texts the transcript, one text an item
 * @param room tokens that one request may have
 * @throws as `askModel`, and unavailable `model-empty`
 */
export async function summarise(context: TurnContext, parts: TurnParts, texts: readonly string[], room: number): Promise<Summary> {
  const summary: Summary = { text: '', model: context.answering.id, inputTokens: 0, outputTokens: 0, usd: 0 };
  for (const piece of piecesOf(texts.filter(Boolean), Math.max(room - summaryTokens, 1_000))) {
    const { answer, entry, input, output, usd } = await ask(context, parts, summary.text, piece);
    const { text } = capResult(answer.text.trim(), { limit: summaryTokens, unit: 'tokens' });
    const spent = { inputTokens: summary.inputTokens + input, outputTokens: summary.outputTokens + output, usd: usd === null || summary.usd === null ? null : summary.usd + usd };
    Object.assign(summary, { text, model: entry.id, ...spent });
  }
  if (summary.text === '') throw unavailable('model-empty', 'The model wrote an empty summary.');
  return summary;
}

/** As few as possible; of very many the first and the last, which say how it began and where it stands. */
function piecesOf(texts: readonly string[], room: number): string[] {
  const pieces: string[] = [];
  const piece: string[] = [];
  let size = 0;
  for (const whole of texts) {
    const { text } = capResult(whole, { limit: Math.floor(room / 2), unit: 'tokens' });
    const tokens = countTokens(text) + 2;
    if (piece.length > 0 && size + tokens > room) {
      pieces.push(piece.splice(0).join('\n\n'));
      size = 0;
    }
    piece.push(text);
    size += tokens;
  }
  if (piece.length > 0) pieces.push(piece.join('\n\n'));
  if (pieces.length <= mostPieces) return pieces;
  const [first = '', ...rest] = pieces;
  return [`${first}\n\n[A part of the chat was too long and is left out here.]`, ...rest.slice(1 - mostPieces)];
}

async function ask(context: TurnContext, parts: TurnParts, before: string, piece: string) {
  const { signal } = context;
  const messages = summaryRequest(before, piece) as never;
  let failure: unknown;
  for (const entry of entriesOf(context, parts)) {
    for (let tries = 1; ; tries += 1) {
      try {
        const request = { model: entry.id, messages, stream: true as const, stream_options: { include_usage: true } };
        const answer = await askModel(parts.client, request, { signal, stallMs: parts.config.SKILLGATE_MODEL_STALL_MS, onText: () => undefined });
        const spent = spend(context, entry, answer, countTokens(JSON.stringify(messages)));
        const whole = incomplete(answer) ?? (answer.text.trim() === '' ? unavailable('model-empty', 'The model wrote an empty summary.') : undefined);
        if (whole) throw whole;
        return { answer: answer as ModelAnswer, entry, ...spent };
      } catch (error) {
        failure = error;
        if (signal.aborted) throw signal.reason;
        const next = nextTry(error, tries);
        if (next === 'none') throw error;
        if (next === 'next-model') break;
        await pause(next.after, undefined, { signal });
      }
    }
  }
  throw failure;
}

const entriesOf = ({ answering }: TurnContext, { fallbacks }: TurnParts): ModelEntry[] => [answering, ...fallbacks.filter(({ id }) => id !== answering.id)];
