import { connect } from '@nats-io/transport-node';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { streamsOf } from '@skillgate/contracts/streams';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { connectWire } from '@skillgate/wire/connect';
import { randomUUID } from 'node:crypto';
import type { BenchPlace, Side } from './side.js';

/** Deltas under way before the sender waits for the reader: a turn never has more. */
const window = 500;
const text = 'about twenty five letters';

const delta = (n: number): TurnMessage => ({ attempt: 1, n, body: { type: 'delta', text } });

/** Sends windows of messages until the time is up; each window is done when the reader has it all. */
async function pump(ms: number, send: (n: number) => void, received: () => number): Promise<{ done: number; ms: number }> {
  const started = Date.now();
  const first = received();
  let sent = 0;
  while (Date.now() - started < ms) {
    for (let i = 0; i < window; i++) send(sent++);
    while (received() - first < sent) await new Promise(setImmediate);
  }
  return { done: sent, ms: Date.now() - started };
}

/** Orchestrator to gateway as in a turn: checked on both sides, and kept in the stream of turns on the way. */
export async function relayedDeltas({ servers, passwords }: BenchPlace): Promise<Side> {
  const wireOf = (service: string) => connectWire({ service, servers, user: service, password: passwords[service] ?? '' });
  const [orchestrator, gateway] = await Promise.all([wireOf('orchestrator'), wireOf('gateway')]);
  await orchestrator.reconcileStreams(streamsOf(orchestratorEdges));
  const turn = randomUUID();
  let count = 0;
  const hearing = gateway.subscribeTurn(turn, () => void count++);
  await hearing.ready;
  return {
    run: (ms) => pump(ms, (n) => void orchestrator.publishTurn(turn, delta(n)), () => count),
    async end() {
      await Promise.all([orchestrator.close(), gateway.close()]);
    },
  };
}

/** The same bytes over core NATS with the bare client. */
export async function bareDeltas({ servers }: BenchPlace): Promise<Side> {
  const open = () => connect({ servers, user: 'bare', pass: 'bare' });
  const [sender, reader] = await Promise.all([open(), open()]);
  let count = 0;
  reader.subscribe('bare.deltas', { callback: (_, message) => void (JSON.parse(message.string()) && count++) });
  await reader.flush();
  return {
    run: (ms) => pump(ms, (n) => sender.publish('bare.deltas', JSON.stringify(delta(n))), () => count),
    async end() {
      await Promise.all([sender.close(), reader.close()]);
    },
  };
}
