import { HouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import OpenAI from 'openai';

export const cut = (why: string, cause?: unknown): HouseError => passing('model-cut', `${why} Send your message again.`, cause);

export const stalled = (ms: number): HouseError => unavailable('model-stalled', `The model sent nothing for ${ms / 1000} s. Send your message again.`);

/** A connection that breaks in mid-stream surfaces as whatever the network stack throws; to us it is a cut answer. */
export async function* unbroken<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof OpenAI.APIError ? error : cut('The model stopped in mid-answer.', error);
  }
}

/**
 * The vendor's errors by who must act; its message may quote the request and stays out of ours.
 *
 * @param tools names of the request's tools, in their order: providers say of a bad one at which place it stands
 */
export function asHouseError(error: unknown, tools: readonly string[] = []): unknown {
  if (!(error instanceof OpenAI.APIError)) return error;
  if (error instanceof OpenAI.APIConnectionError) {
    return passing('model-unreachable', 'The model endpoint cannot be reached. Try again in a moment.', error);
  }
  if (isPassing(error)) return passing('model-overloaded', 'The model is overloaded or failing. Try again in a moment.', error, retryAfterMs(error));
  if (error.code === 'context_length_exceeded') {
    return because(refuse('model-context-exceeded', 'This chat is longer than the model can read. Begin a new chat, or attach less.'), error);
  }
  const tool = blamedTool(error.message, tools);
  const blamed = tool === undefined ? '' : ` It does not take the tool "${tool}"; until its team has mended it, an operator can withdraw its approval.`;
  return because(
    refuse('model-refused-request', `The model endpoint answered ${error.status}.${blamed} The operator finds the reason under this correlation id.`),
    error,
  );
}

/** `tools[3]`, `tools.3.` or Gemini's `function_declarations[3]`, all from 0; OpenAI also quotes the name. */
function blamedTool(message: string, tools: readonly string[]): string | undefined {
  const place = /function_declarations\[(\d+)\]/.exec(message) ?? /\btools(?:\[|\.)(\d+)/.exec(message) ?? /\bfunctions\[(\d+)\]/.exec(message);
  const named = /function '([\w-]{1,64})'/.exec(message)?.[1];
  return place ? tools[Number(place[1])] : tools.find((name) => name === named);
}

const because = (error: HouseError, cause: unknown): HouseError => new HouseError(error.toWire(), { cause });

const passing = (slug: string, message: string, cause: unknown, retryAfter?: number): HouseError => because(unavailable(slug, message, retryAfter), cause);

/** Answers that may be another one in a moment; a connection that failed has no status. */
const isPassing = ({ status }: InstanceType<typeof OpenAI.APIError>): boolean => status === undefined || status >= 500 || [408, 409, 429].includes(status);

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as milliseconds from now. */
function retryAfterMs({ headers }: InstanceType<typeof OpenAI.APIError>): number | undefined {
  const value = headers?.get('retry-after');
  if (!value) return undefined;
  const ms = Number.isNaN(Number(value)) ? Date.parse(value) - Date.now() : Number(value) * 1_000;
  return ms > 0 ? ms : undefined;
}
