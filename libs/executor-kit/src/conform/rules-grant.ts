import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { policyRaised } from '@skillgate/contracts/events/accounts';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import { type Examined, requireSlug } from './examined.js';
import { Broken, type Rule } from './rule.js';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const inPast = (): number => Math.floor(Date.now() / 1000) - 60;

/** The claims of a good grant, changed behind its signature. */
async function altered(executor: Examined): Promise<string> {
  const [header, body, signature] = (await executor.grant()).split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  return [header, base64url({ ...claims, account: randomUUID() }), signature].join('.');
}

async function unsigned(executor: Examined): Promise<string> {
  const [, body] = (await executor.grant()).split('.') as [string, string, string];
  return `${base64url({ alg: 'none', typ: 'grant+jwt' })}.${body}.`;
}

/** A grant that must be refused, and why. */
function refused(rule: string, title: string, slug: string, advice: string, make: (executor: Examined) => Promise<{ grant?: string | null; claims?: object; tool?: string }>): Rule {
  return { rule, title, try: async (executor) => void (await executor.mustRefuse(await make(executor), slug, advice)) };
}

const verifying = 'Verify the grant before anything else: a compact JWS, EdDSA over Ed25519, typ "grant+jwt", iss "registry", a key of call.v1.registry.public-keys.';

/** Nobody runs a tool by naming it. */
export const grantRules: readonly Rule[] = [
  refused('grant-missing', 'A call without a grant is refused.', 'grant-missing', 'Run nothing without the header "grant".', async () => ({ grant: null })),
  refused('grant-garbage', 'A call with something that is no grant is refused.', 'grant-invalid', verifying, async () => ({ grant: 'not.a.grant' })),
  refused('grant-foreign-key', 'A grant that somebody else signed is refused.', 'grant-invalid', verifying, async (executor) => ({
    grant: await executor.grant({}, makeSigner(await newSigningKey(), 'registry')),
  })),
  refused('grant-altered', 'A grant that was altered after it was signed is refused.', 'grant-invalid', verifying, async (executor) => ({ grant: await altered(executor) })),
  refused('grant-unsigned', 'A grant that says it needs no signature is refused.', 'grant-invalid', 'Take the algorithm from the contract and never from the token.', async (executor) => ({
    grant: await unsigned(executor),
  })),
  refused('grant-other-kind', 'Another token that the registry signed is no grant.', 'grant-invalid', 'Compare the header’s typ with "grant+jwt" and the claim typ with "grant".', async (executor) => ({
    grant: await executor.grant({ typ: 'receipt' }),
  })),
  refused('grant-expired', 'A grant whose time is over is refused.', 'grant-expired', 'Compare exp, in seconds, with the clock, without any tolerance.', async () => ({ claims: { exp: inPast() } })),
  refused('grant-audience', 'A grant for another executor is refused.', 'grant-audience', 'Compare aud with your own name.', async () => ({ claims: { aud: 'somebody-else' } })),
  refused('grant-turn', 'A grant of another turn is refused.', 'grant-turn', 'Compare the claim turn with the header turn-id.', async () => ({ claims: { turn: randomUUID() } })),
  refused('grant-tool', 'A grant that does not list the tool is refused.', 'grant-tool', 'Look the tool of the subject up in the claim tools.', async () => ({ claims: { tools: { other_tool: 'x@1.0.0#00' } } })),
  refused('unknown-tool', 'A tool that it does not have is refused, also when the grant lists it.', 'unknown-tool', 'Name the tools that there are in the message.', async () => ({
    tool: 'no_such_tool_here',
    claims: { tools: { no_such_tool_here: 'x@1.0.0#00' } },
  })),
  {
    rule: 'grant-before-arguments',
    title: 'Who has no grant learns nothing of the arguments.',
    try: async (executor) => void (await executor.mustRefuse({ grant: null, arguments: { __no_such_field__: 1 } }, 'grant-missing', 'Check the grant before the arguments.')),
  },
  {
    rule: 'grant-call',
    title: 'A grant for one call that its user approved runs that call, and no other call or other arguments.',
    async try(executor) {
      const id = randomUUID();
      const { arguments: args } = executor.plan.call;
      const advice = 'Compare the claim call with the header call-id and the hash of the arguments.';
      const claims = { call: { id, argumentsHash: argumentsHash(args) } };
      await executor.mustRefuse({ claims, callId: randomUUID() }, 'grant-call', advice);
      await executor.mustRefuse({ claims: { call: { id, argumentsHash: argumentsHash({ ...args, more: 1 }) } }, callId: id }, 'grant-call', advice);
      await executor.mustWork({ claims, callId: id }, `Take the call that was approved. ${advice}`);
    },
  },
  {
    rule: 'grant-outdated',
    title: 'After a change of what an account may use, a grant of an older policy epoch is refused, and one of the new epoch works.',
    async try(executor) {
      const account = randomUUID();
      const [before, after] = [3, 4];
      await executor.mustWork({ claims: { account, policyEpoch: before } }, 'Take a grant of an account that no event was heard of.');
      await executor.peers.accounts.publishEvent(policyRaised, { account, policyEpoch: after }, { id: randomUUID() });
      const advice = 'Watch event.v1.accounts.policy-raised and remember the newest epoch of each account.';
      let reply = await executor.send({ claims: { account, policyEpoch: before } });
      for (const end = Date.now() + 5_000; reply.ok && Date.now() < end; reply = await executor.send({ claims: { account, policyEpoch: before } })) await pause(100);
      requireSlug(reply, 'grant-outdated', advice);
      if (reply.error?.details?.policyEpoch !== after) throw new Broken(reply.sent, reply.came, `Say the epoch that you heard of: "details":{"policyEpoch":${after}}.`);
      await executor.mustWork({ claims: { account, policyEpoch: after } }, 'Take grants of the newest epoch.');
    },
  },
  {
    rule: 'new-key',
    title: 'It asks for keys again when a grant names one that it does not know, so that the registry can change its key.',
    async try(executor) {
      const second = makeSigner(await newSigningKey(), 'registry');
      executor.peers.addSigner(second);
      let reply = await executor.send({ grant: await executor.grant({}, second) });
      for (const end = Date.now() + 12_000; !reply.ok && Date.now() < end; reply = await executor.send({ grant: await executor.grant({}, second) })) await pause(500);
      if (!reply.ok) throw new Broken(reply.sent, reply.came, 'Ask call.v1.registry.public-keys again for an unknown kid, at most every five seconds.');
    },
  },
];
