// A process of its own: a model that answers at once, in the vendor's form, to all sides of the bench alike.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Chunks of the answer. */
const chunks = 32;

const frame = { id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench' };
const event = (delta: object, finish: string | null = null) => `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ ...frame, choices: [], usage: { prompt_tokens: 5_000, completion_tokens: 40, total_tokens: 5_040 } })}\n\n`;
const done = `${usage}data: [DONE]\n\n`;
const calling = (id: string, name: string, args: object) =>
  Buffer.from(event({ role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }) + event({}, 'tool_calls') + done);

// All bytes are made beforehand: the model is no part of what is measured.
const answers = [
  calling('call_1', 'load_skill', { slug: 'bench-work' }),
  calling('call_2', 'bench_read', { topic: 'turns' }),
  Buffer.from(Array.from({ length: chunks }, (_, n) => event({ content: `word ${n} ` })).join('') + event({}, 'stop') + done),
];

/** Which of the three calls of a turn this is: as many results of tools stand in it. */
const place = (body: string): number => Math.min(body.split('"role":"tool"').length - 1, answers.length - 1);

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(answers[place(Buffer.concat(pieces).toString('latin1'))]);
  });
});
server.keepAliveTimeout = 600_000; // a connection that is closed under a request would be measured as ours
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
