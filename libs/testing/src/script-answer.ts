import type { ScriptedToolCall, ScriptStep } from './script.js';

/** What stays the same over the chunks of one answer. */
export interface AnswerHead {
  id: string;
  model: string;
  /** For ids of tool calls that the script did not name: calls before this answer. */
  callsBefore: number;
  requestLength: number;
}

/** A chunk of a streamed answer, or a wait in between. */
export type Chunk = Record<string, unknown> | (() => Promise<unknown>);

const created = 1_700_000_000; // constant, so that the same script gives the same bytes

const argumentText = ({ arguments: value = {} }: ScriptedToolCall): string => (typeof value === 'string' ? value : JSON.stringify(value));

const idOf = (call: ScriptedToolCall, place: number, head: AnswerHead): string => call.id ?? `call_${head.callsBefore + place + 1}`;

const textParts = ({ text = [] }: ScriptStep): readonly (string | (() => Promise<unknown>))[] => (typeof text === 'string' ? [text] : text);

const textOf = (step: ScriptStep): string => textParts(step).filter((part) => typeof part === 'string').join('');

const finishOf = (step: ScriptStep): string => step.finish ?? (step.toolCalls?.length ? 'tool_calls' : 'stop');

/** A token is about four characters; nobody may rely on more. */
function usageOf(step: ScriptStep, head: AnswerHead): Record<string, unknown> | null {
  if (step.usage === null) return null;
  const said = textOf(step) + (step.toolCalls ?? []).map(argumentText).join('');
  const counted = { prompt: Math.ceil(head.requestLength / 4), completion: Math.ceil(said.length / 4), cached: 0 };
  const { prompt, completion, cached = 0 } = step.usage ?? counted;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function toolDeltas(call: ScriptedToolCall, place: number, head: AnswerHead): Record<string, unknown>[] {
  const text = argumentText(call);
  const middle = Math.ceil(text.length / 2);
  const pieces = call.pieces === 'whole' ? [text] : (call.pieces ?? ['', text.slice(0, middle), text.slice(middle)]);
  const index = call.index === 'missing' ? {} : { index: call.index ?? place };
  return pieces.map((piece, n) => ({
    tool_calls: [
      n === 0
        ? { ...index, id: idOf(call, place, head), type: 'function', function: { name: call.name, arguments: piece } }
        : { ...index, function: { arguments: piece } },
    ],
  }));
}

/** The chunks of a streamed answer, without the closing `[DONE]`. */
export function streamedAnswer(step: ScriptStep, head: AnswerHead, withUsage: boolean): Chunk[] {
  const frame = { id: head.id, object: 'chat.completion.chunk', created, model: head.model };
  const chunk = (delta: Record<string, unknown>, finish: string | null = null) => ({
    ...frame,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = withUsage ? usageOf(step, head) : null;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...textParts(step).map((part) => (typeof part === 'string' ? chunk({ content: part }) : part)),
    ...(step.toolCalls ?? []).flatMap((call, place) => toolDeltas(call, place, head)).map((delta) => chunk(delta)),
    ...(step.deltas ?? []).map((delta) => chunk(delta)),
    chunk({}, finishOf(step)),
    ...(usage ? [{ ...frame, choices: [], usage }] : []),
  ];
}

/** The whole answer as one object. */
export function wholeAnswer(step: ScriptStep, head: AnswerHead): Record<string, unknown> {
  const text = textOf(step);
  const calls = (step.toolCalls ?? []).map((call, place) => ({
    id: idOf(call, place, head),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const usage = usageOf(step, head);
  return {
    id: head.id,
    object: 'chat.completion',
    created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text || null, refusal: null, ...(calls.length ? { tool_calls: calls } : {}) },
        finish_reason: finishOf(step),
      },
    ],
    ...(usage ? { usage } : {}),
  };
}
