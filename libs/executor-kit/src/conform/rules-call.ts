import { randomUUID } from 'node:crypto';
import { toolResult } from '@skillgate/contracts/tool-call';
import { type Reply, requireSlug } from './examined.js';
import { Broken, NotTried, type Rule } from './rule.js';

/** Largest body of a message in bytes. */
const maxMessageBytes = 256 * 1024;

function requireSame(first: Reply, again: Reply, advice: string): void {
  if (first.text !== undefined && JSON.stringify(again.ok) === JSON.stringify(first.ok) && again.ok) return;
  throw new Broken(again.sent, `${again.came}; the first answer was ${first.came}`, advice);
}

const firstResult = 'Remember the outcome of each call by account and call id, and answer a repeated delivery with it.';

const malformed = (body: string, what: string): Rule => ({
  rule: `malformed-${what}`,
  title: `A body that is ${what.replaceAll('-', ' ').replace('without', 'one without')} is answered as a broken contract, and the executor goes on.`,
  async try(executor) {
    await executor.mustRefuse({ body }, 'invalid-input', 'Expect {"arguments": {…}} and nothing else.', 'breach');
    await executor.mustWork({}, 'Go on after a message that could not be read.');
  },
});

/** The message, its answer, and one result for each call id. */
export const callRules: readonly Rule[] = [
  {
    rule: 'answers',
    title: 'A good call is answered with {"ok":{"content":…,"artifacts":[…]}}.',
    async try(executor) {
      const reply = await executor.mustWork({}, 'Answer the planned call under a good grant with {"ok":{"content":…,"artifacts":[]}}.');
      const checked = toolResult.safeParse(reply.ok);
      if (!checked.success) throw new Broken(reply.sent, reply.came, `Keep to the form of the result: ${checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}.`);
    },
  },
  {
    rule: 'call-id-missing',
    title: 'A call without a call id is answered as a broken contract.',
    try: async (executor) => void (await executor.mustRefuse({ callId: null }, 'call-id-missing', 'Run nothing without the header "call-id".', 'breach')),
  },
  {
    rule: 'invalid-arguments',
    title: 'Arguments that do not fit the schema are refused.',
    async try(executor) {
      const args = executor.plan.invalid ?? { __no_such_field__: 1 };
      const advice = executor.plan.invalid ? 'Check the arguments against the announced schema before the tool runs.' : 'Check the arguments before the tool runs; where a field of any name fits, put arguments that do not into the plan as "invalid".';
      await executor.mustRefuse({ arguments: args }, 'invalid-arguments', advice);
    },
  },
  malformed('{"arguments":', 'no-JSON'),
  malformed('[]', 'no-object'),
  malformed('{"arguments":["a"]}', 'without-an-object-of-arguments'),
  malformed('', 'empty'),
  {
    rule: 'no-reply-subject',
    title: 'A call that nobody could be answered to is dropped, and the executor goes on.',
    async try(executor) {
      const grant = await executor.grant();
      const headers = { grant, 'turn-id': executor.ids.turn, 'call-id': randomUUID(), deadline: String(Date.now() + 5_000) };
      const body = Buffer.from(JSON.stringify({ arguments: executor.plan.call.arguments }));
      executor.peers.orchestrator.sayRaw({ subject: `tool.v1.${executor.name}.${executor.plan.call.tool}`, body, headers });
      await executor.mustWork({}, 'Go on after a message without a reply subject.');
    },
  },
  {
    rule: 'one-result',
    title: 'A call that is delivered again is answered with its first result, also under a newer grant.',
    async try(executor) {
      const callId = randomUUID();
      const first = await executor.mustWork({ callId }, 'Answer the planned call.');
      requireSame(first, await executor.send({ callId }), firstResult);
      requireSame(first, await executor.send({ callId, claims: { exp: Math.floor(Date.now() / 1000) + 30 } }), firstResult);
    },
  },
  {
    rule: 'one-result-at-once',
    title: 'A call that is delivered five times at once runs once: all five get the same result.',
    async try(executor) {
      const callId = randomUUID();
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => executor.send({ callId })));
      if (!first!.ok) throw new Broken(first!.sent, first!.came, 'Answer the planned call.');
      for (const other of others) requireSame(first!, other, 'Let a repeated delivery wait for the first one that still runs.');
    },
  },
  {
    rule: 'replayed-arguments',
    title: 'A call id that stood for other arguments is refused.',
    async try(executor) {
      const { other } = executor.plan;
      if (!other) throw new NotTried('Name other arguments for the tool of "call" as "other" in the plan.');
      const callId = randomUUID();
      await executor.mustWork({ callId }, 'Answer the planned call.');
      await executor.mustRefuse({ callId, arguments: other }, 'call-id-reused', 'Compare tool, turn and arguments with those of the first delivery.');
    },
  },
  {
    rule: 'replayed-turn',
    title: 'A call id of another turn is refused.',
    async try(executor) {
      const callId = randomUUID();
      await executor.mustWork({ callId }, 'Answer the planned call.');
      const turn = randomUUID();
      await executor.mustRefuse({ callId, turn, claims: { turn } }, 'call-id-reused', 'Compare tool, turn and arguments with those of the first delivery.');
    },
  },
  {
    rule: 'accounts-apart',
    title: 'The same call id of another account is another call.',
    async try(executor) {
      const callId = randomUUID();
      await executor.mustWork({ callId }, 'Answer the planned call.');
      const [account, turn] = [randomUUID(), randomUUID()];
      await executor.mustWork({ callId, turn, claims: { account, turn } }, 'Remember calls by account and call id together: no account may meet what another one did.');
    },
  },
  {
    rule: 'size-limit',
    title: 'A result that no message can carry is refused, and not cut, sent or left without an answer.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('large');
      const reply = await executor.send({ tool, arguments: args, waitMs: 30_000 });
      const advice = `A reply has at most ${maxMessageBytes} bytes, its envelope included. Say the size, and what to ask for in its place.`;
      if (reply.bytes > maxMessageBytes) throw new Broken(reply.sent, `an answer of ${reply.bytes} bytes`, advice);
      if (reply.ok) throw new NotTried(`The call "large" of the plan gave ${reply.bytes} bytes, which a message can carry. Ask it for more.`);
      requireSlug(reply, 'result-too-large', advice);
    },
  },
];
