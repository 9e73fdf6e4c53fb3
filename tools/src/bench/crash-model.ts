import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Message {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string } }[];
  tool_call_id?: string;
}

export const crashModel = 'crash-model';

/** Milliseconds that the model takes before its first word, and between two: time in which its caller can die. */
const firstMs = 30;
const wordMs = 10;
/** Tries of a call that was not run, before the model answers without it. */
const mostTries = 5;

/**
 * A model over the vendor's protocol that does the same for every turn: loads a skill, reads, sends, answers. It has no memory:
 * all that it knows is what it is sent, so an orchestrator that loses a step gets that step again.
 */
export async function startCrashModel(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(JSON.parse(Buffer.concat(pieces).toString('utf8')) as { model: string; messages: Message[] }, response).catch(() => response.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer({ model, messages }: { model: string; messages: Message[] }, response: ServerResponse): Promise<void> {
  const next = nextStep(messages);
  await pause(firstMs);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (delta: object, finish: string | null = null) => {
    const chunk = { id: 'crash', object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: finish }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if ('call' in next) {
    say({ tool_calls: [{ index: 0, id: 'call', type: 'function', function: { name: next.call, arguments: JSON.stringify(next.arguments) } }] });
    say({}, 'tool_calls');
  } else {
    for (const word of next.say.split(/(?<= )/)) {
      say({ content: word });
      await pause(wordMs);
    }
    say({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}

type Step = { call: string; arguments: object } | { say: string };

function nextStep(messages: readonly Message[]): Step {
  const turn = /turn (\d+)/.exec(textOf(messages.findLast(({ role }) => role === 'user')))?.[1] ?? '?';
  const tries = (tool: string) => messages.flatMap(({ tool_calls: calls = [] }) => calls).filter((call) => call.function.name === tool);
  const isSettled = (tool: string) =>
    tries(tool).length >= mostTries || tries(tool).some(({ id }) => hasHappened(textOf(messages.find((message) => message.tool_call_id === id))));
  if (!isSettled('load_skill')) return { call: 'load_skill', arguments: { slug: 'crash-work' } };
  if (!isSettled('crash_read')) return { call: 'crash_read', arguments: { turn } };
  if (!isSettled('crash_send')) return { call: 'crash_send', arguments: { turn, effect: 'send' } };
  return { say: `Turn ${turn} has been read and sent, as far as anybody can tell.` };
}

/** It worked, or it may have: what may have worked is not asked for again. */
const hasHappened = (result: string): boolean => !/^\{"(error|refused)"/.test(result) || result.includes('may or may not');

const textOf = (message: Message | undefined): string => (typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? ''));
