import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { settlement } from '@skillgate/contracts/tool-call';
import type { Examined } from './examined.js';
import { Broken, NotTried, type Rule } from './rule.js';

const questionOf = ({ ids }: Examined, callId: string, turn = ids.turn) => ({ account: ids.account, turn, callId });

async function requireSettled(executor: Examined, callId: string, state: string, advice: string) {
  const reply = await executor.settle(questionOf(executor, callId));
  const checked = settlement.safeParse(reply.settlement);
  if (!checked.success || checked.data.state !== state) throw new Broken(reply.sent, reply.came, `${advice} Answer with {"ok":{"state":"${state}"…}}.`);
  return { reply, settled: checked.data };
}

/** Calls with effects, which a turn that was taken over asks after before it dares to send them again. */
export const ledgerRules: readonly Rule[] = [
  {
    rule: 'settle-never',
    title: 'A call with effects that has not arrived is settled as never run, and refused from then on.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('write');
      const callId = randomUUID();
      await requireSettled(executor, callId, 'never', 'Put an entry that refuses the call into the ledger.');
      await requireSettled(executor, callId, 'never', 'Say the same again.');
      await executor.mustRefuse({ tool, arguments: args, callId }, 'call-settled', 'Create the entry of a call before its tool is entered; who does not get it does not run.');
    },
  },
  {
    rule: 'settle-done',
    title: 'A call with effects that ended is settled with its result.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('write');
      const callId = randomUUID();
      const first = await executor.mustWork({ tool, arguments: args, callId }, 'Answer the planned call.');
      const { reply, settled } = await requireSettled(executor, callId, 'done', 'Keep the outcome of each call with effects in the ledger.');
      const { content, artifacts = [] } = first.ok!;
      if (settled.state !== 'done' || JSON.stringify(settled.result) !== JSON.stringify({ content, artifacts })) throw new Broken(reply.sent, reply.came, `Give the first result: ${first.came}`);
    },
  },
  {
    rule: 'settle-other-turn',
    title: 'Who asks for another turn than that of the call is refused.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('write');
      const callId = randomUUID();
      await executor.mustWork({ tool, arguments: args, callId }, 'Answer the planned call.');
      const reply = await executor.settle(questionOf(executor, callId, randomUUID()));
      if (reply.error?.slug !== 'call-id-reused') throw new Broken(reply.sent, reply.came, 'Compare the turn with that of the call, and refuse with the slug "call-id-reused".');
    },
  },
  {
    rule: 'settle-malformed',
    title: 'A question that is none is answered as a broken contract.',
    async try(executor) {
      const reply = await executor.settle({ account: 'nobody' });
      if (reply.error?.slug !== 'invalid-input' || reply.error.kind !== 'breach') throw new Broken(reply.sent, reply.came, 'Expect account, turn and callId; answer with the kind "breach" and the slug "invalid-input".');
    },
  },
  {
    rule: 'instances',
    title: 'Two instances have one ledger: a call with effects that is delivered to both has one result.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('write');
      const { start, announcements } = executor;
      if (!start) throw new NotTried('Let the suite start the executor: put its command behind "--".');
      executor.subjects.push(await start());
      const instances = () => new Set(announcements.map(({ instance }) => instance)).size;
      for (const end = Date.now() + 20_000; instances() < 2 && Date.now() < end; ) await pause(50);
      if (instances() < 2) throw new Broken('a second instance was started', 'no announcement of another instance', 'Give each process an instance id of its own.');
      const callId = randomUUID();
      const [first, ...others] = await Promise.all(Array.from({ length: 12 }, () => executor.send({ tool, arguments: args, callId })));
      for (const other of others) {
        if (!first!.ok || JSON.stringify(other.ok) !== JSON.stringify(first!.ok)) throw new Broken(other.sent, `${other.came}; another delivery had ${first!.came}`, 'Keep the entries in the bucket calls_<name>, created only where there is none.');
      }
      await requireSettled(executor, callId, 'done', 'Both instances answer from the ledger.');
    },
  },
];
