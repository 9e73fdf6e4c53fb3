import { headers, type NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { askModel } from './chain-model.js';
import { readFacts, writeDown, writtenBytes } from './chain-sql.js';

export interface ChainPlace {
  readonly nats: NatsConnection;
  /** Of the role's own. */
  readonly pool: pg.Pool;
  readonly modelUrl: string;
  /** Leading message, tools and instructions as long as those of the house. */
  readonly prefix: string;
  readonly tools: object[];
  readonly instructions: string;
}

const account = '00000000-0000-4000-8000-000000000001';
/** Milliseconds that a key is remembered, as by the gateway of the house. */
const rememberMs = 5_000;

type Answer = (input: Record<string, unknown>) => Promise<object>;

const serve = (nats: NatsConnection, subject: string, answer: Answer): void => {
  nats.subscribe(subject, { queue: subject, callback: (_, message) => void answer(message.json()).then((output) => message.respond(JSON.stringify(output))) });
};

const call = async <T>(nats: NatsConnection, subject: string, input: object): Promise<T> => (await nats.request(subject, JSON.stringify(input), { timeout: 30_000, headers: headers() })).json<T>();

/** What each process of the chain does: the hops of a gated turn, and at each the transactions that the house makes there. */
export const chainRoles: Record<string, (place: ChainPlace) => Promise<number | void>> = {
  async accounts({ nats, pool }) {
    serve(nats, 'bare.authenticate', async () => {
      await pool.query('SELECT account FROM facts WHERE account = $1', [account]);
      await readFacts(pool, account);
      return { account };
    });
  },

  async catalog({ nats, pool, prefix, instructions }) {
    const look = () => Promise.all([pool.query('SELECT 1'), readFacts(pool, account), readFacts(pool, account)]);
    serve(nats, 'bare.prepare', async () => {
      await look();
      return { prefix };
    });
    serve(nats, 'bare.load', async () => {
      await look();
      return { instructions };
    });
  },

  async registry({ nats, pool, tools }) {
    serve(nats, 'bare.resolve', async () => {
      await Promise.all([pool.query('SELECT 1'), readFacts(pool, account)]);
      return { tools };
    });
  },

  async executor({ nats }) {
    serve(nats, 'bare.tool', async ({ topic }) => ({ topic, rows: ['one', 'two', 'three'] }));
  },

  async orchestrator(place) {
    serve(place.nats, 'bare.start', async ({ turn }) => {
      const prepared = call<{ prefix: string }>(place.nats, 'bare.prepare', { turn });
      await writeDown(place.pool, account, String(turn), 'x'.repeat(writtenBytes[0]));
      void runTurn(place, String(turn), prepared);
      return { turn };
    });
  },

  gateway: ({ nats }) =>
    new Promise((resolve) => {
      let known = 0;
      const server = createServer((request, response) => {
        request.resume();
        request.on('end', async () => {
          if (Date.now() - known > rememberMs) {
            await call(nats, 'bare.authenticate', {});
            known = Date.now();
          }
          const turn = randomUUID();
          response.setHeader('content-type', 'text/event-stream');
          const hearing = nats.subscribe(`bare.turn.${turn}`, {
            callback: (_, message) => {
              const said = message.json<{ ended?: true }>();
              if (!said.ended) return void response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: said }] })}\n\n`);
              hearing.unsubscribe();
              response.end('data: [DONE]\n\n');
            },
          });
          await call(nats, 'bare.start', { turn });
        });
      });
      server.keepAliveTimeout = 600_000;
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
};

/** Commits that follow on a round go beside the model's next call, as in the house; the last one comes before the last word. */
async function runTurn({ nats, pool, modelUrl, tools }: ChainPlace, turn: string, prepared: Promise<{ prefix: string }>): Promise<void> {
  const tell = (body: object) => nats.publish(`bare.turn.${turn}`, JSON.stringify(body));
  const { prefix } = await prepared;
  const messages: object[] = [{ role: 'system', content: prefix }, { role: 'user', content: 'Do the work.' }];
  const ask = () => askModel(modelUrl, { model: 'bench', messages, tools, stream: true, stream_options: { include_usage: true } });
  let saved: Promise<unknown> = Promise.resolve();

  tell({ progress: 'thinking' });
  const first = await ask();
  tell({ progress: 'loading' });
  const { instructions } = await call<{ instructions: string }>(nats, 'bare.load', { turn });
  await call(nats, 'bare.resolve', { turn });
  tell({ progress: 'loaded' });
  messages.push({ role: 'assistant', content: null, tool_calls: first.calls }, { role: 'tool', tool_call_id: 'call_1', content: instructions });
  saved = writeDown(pool, account, turn, 'x'.repeat(writtenBytes[1]));

  tell({ progress: 'thinking' });
  const second = await ask();
  await saved;
  tell({ progress: 'calling' });
  const result = await call<object>(nats, 'bare.tool', { topic: 'turns' });
  tell({ progress: 'called' });
  messages.push({ role: 'assistant', content: null, tool_calls: second.calls }, { role: 'tool', tool_call_id: 'call_2', content: JSON.stringify(result) });
  saved = writeDown(pool, account, turn, 'x'.repeat(writtenBytes[2]));

  tell({ progress: 'thinking' });
  const third = await ask();
  await saved;
  tell({ content: third.text });
  await writeDown(pool, account, turn, 'x'.repeat(writtenBytes[3]));
  tell({ ended: true });
}
