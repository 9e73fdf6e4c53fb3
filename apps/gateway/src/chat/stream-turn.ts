import type { ServerResponse } from 'node:http';
import { describeError } from '../errors/describe-error.js';
import { toVendorError } from '../errors/vendor-error.js';
import { callsDelta, chunk, completionHead, usageChunk, vendorFinish, type CompletionHead } from './chat-chunks.js';
import { outcomeError } from './outcome-error.js';
import { EventStream, comment, dataLine, doneLine } from './sse.js';
import type { TurnEvent } from './turn-reader.js';
import { waitingText } from './waiting-text.js';

export interface StreamOptions {
  turn: string;
  chat: string;
  model: string;
  includeUsage: boolean;
  /** True: progress and artifacts ride in chunks of ours; else progress is a comment, which standard clients skip. */
  progress: boolean;
  correlationId: string;
  /** Milliseconds after which a client that takes nothing is cut off. */
  stallMs?: number;
  onError: (error: unknown) => void;
}

/** Writes a turn as chat completion chunks. What goes wrong on the way is the last thing in the stream. */
export async function streamTurn(response: ServerResponse, events: AsyncIterable<TurnEvent>, options: StreamOptions): Promise<void> {
  const head = completionHead(options.turn, options.model);
  const stream = new EventStream(response, options.stallMs === undefined ? {} : { stallMs: options.stallMs });
  try {
    for await (const event of events) {
      for (const line of linesOf(event, head, options)) await stream.write(line);
    }
  } catch (error) {
    options.onError(error);
    await stream.write(errorLine(error, options.correlationId));
  } finally {
    stream.end();
  }
}

function linesOf(event: TurnEvent, head: CompletionHead, options: StreamOptions): string[] {
  const pending = options.includeUsage ? { usage: null } : {};
  switch (event.type) {
    case 'begun':
      return [dataLine(chunk(head, { role: 'assistant', content: '' }, null, pending), event.id)];
    case 'text':
      return [dataLine(chunk(head, { content: event.text }, null, pending), event.id)];
    case 'progress': {
      const { stage, skill, tool, message } = event.progress;
      if (!options.progress) return [comment([stage, skill ?? tool, message].filter(Boolean).join(' '))];
      return [dataLine(chunk(head, {}, null, { ...pending, skillgate: { progress: event.progress } }), event.id)];
    }
    case 'artifact':
      if (!options.progress) return [comment(`artifact ${event.artifact.id} ${event.artifact.name}`)];
      return [dataLine(chunk(head, {}, null, { ...pending, skillgate: { artifact: event.artifact } }), event.id)];
    case 'waiting': {
      const { waiting } = event;
      const notice = `${waiting.answer ? '\n\n' : ''}${waitingText(waiting)}`;
      const ours = options.progress ? { skillgate: { turn: options.turn, chat: options.chat, waiting } } : {};
      return [
        dataLine(chunk(head, { content: notice }, null, pending), event.id),
        dataLine(chunk(head, {}, 'stop', { ...pending, ...ours }), event.id),
        ...(options.includeUsage ? [dataLine(usageChunk(head, waiting.usage), event.id)] : []),
        doneLine,
      ];
    }
    case 'ended': {
      const failure = outcomeError(event.outcome);
      if (failure) return [errorLine(failure, options.correlationId, event.id)];
      const { artifacts, usage, calls } = event.outcome;
      const ours = options.progress ? { skillgate: { turn: options.turn, chat: options.chat, artifacts } } : {};
      return [
        ...(calls?.length ? [dataLine(chunk(head, callsDelta(calls), null, pending))] : []),
        dataLine(chunk(head, {}, vendorFinish(event.outcome), { ...pending, ...ours }), event.id),
        ...(options.includeUsage ? [dataLine(usageChunk(head, usage), event.id)] : []),
        doneLine,
      ];
    }
  }
}

/** Without an id the client's last one stands: what went wrong was the reading, and it may resume there. */
const errorLine = (error: unknown, correlationId: string, id?: string): string =>
  dataLine(toVendorError(describeError(error, correlationId)), id);
