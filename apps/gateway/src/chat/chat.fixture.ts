import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { finished, type StartedTurn } from '../gateway-house.fixture.js';

export const chatBody = (more: object = {}) => ({ model: 'default', messages: [{ role: 'user', content: 'Hello' }], ...more });

export const delta = (n: number, text: string, attempt = 1): TurnMessage => ({ attempt, n, body: { type: 'delta', text } });
export const ended = (n: number, answer: string, attempt = 1): TurnMessage => ({
  attempt,
  n,
  body: { type: 'ended', outcome: finished(answer) },
});
export const progress = (n: number): TurnMessage => ({
  attempt: 1,
  n,
  body: { type: 'progress', progress: { stage: 'calling', tool: 'docs_write_text', message: 'two\nlines' } },
});
export const failed = (n: number, slug: string): TurnMessage => ({
  attempt: 1,
  n,
  body: {
    type: 'ended',
    outcome: { ...finished(''), status: 'failed', error: { slug, message: 'The model is away.', correlationId: 'c1' } },
  },
});

/** What an orchestrator publishes as soon as a turn was started. */
export const saying =
  (...messages: TurnMessage[]) =>
  (turn: StartedTurn) =>
    messages.forEach((message) => turn.say(message));

interface Chunk {
  choices?: { delta: { content?: string } }[];
  [key: string]: unknown;
}

export const dataOf = (text: string): Chunk[] => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Chunk);
export const contentOf = (text: string): string =>
  dataOf(text)
    .map(({ choices }) => choices?.[0]?.delta?.content ?? '')
    .join('');
