import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer: a call of one tool, or text. */
export type ModelStep = { readonly call: string; readonly arguments: object } | { readonly say: string };

export interface RecordingModel {
  readonly url: string;
  /** Answers the next requests with these steps; resolves with the bodies of those requests, byte for byte, when `work` is done. */
  during(steps: readonly ModelStep[], work: () => Promise<void>): Promise<string[]>;
  close(): Promise<void>;
}

/** A model over the vendor's protocol that says what it is told to say and keeps what it was sent. */
export async function startRecordingModel(): Promise<RecordingModel> {
  let steps: ModelStep[] = [];
  let bodies: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces).toString('utf8'));
      const step = steps.shift();
      if (step) answer(step, bodies.length, response);
      else response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"the script has ended"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async during(script, work) {
      [steps, bodies] = [[...script], []];
      await work();
      if (steps.length > 0) throw new Error(`the model was asked ${bodies.length} times; ${steps.length} steps of its script are left`);
      return bodies;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(step: ModelStep, number: number, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (delta: object, finish: string | null = null) => {
    const chunk = { id: `recorded-${number}`, object: 'chat.completion.chunk', created: 0, model: 'recorded', choices: [{ index: 0, delta, finish_reason: finish }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if ('call' in step) {
    say({ tool_calls: [{ index: 0, id: 'call', type: 'function', function: { name: step.call, arguments: JSON.stringify(step.arguments) } }] });
    say({}, 'tool_calls');
  } else {
    say({ content: step.say });
    say({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}
