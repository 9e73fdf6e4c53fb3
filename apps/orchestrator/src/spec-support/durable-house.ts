import { loadSkill as loadSkillCall, measureMonolith, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { listProfiles, type OpenedTool, registryPublicKeys, resolveTools } from '@skillgate/contracts/calls/registry';
import { catalogEdges } from '@skillgate/contracts/services/catalog';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { streamsOf } from '@skillgate/contracts/streams';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import type { Executor } from '@skillgate/executor-kit/define-executor';
import { serveExecutor } from '@skillgate/executor-kit/serve-executor';
import { makeLog } from '@skillgate/service-kit/log';
import { PolicyEpochs } from '@skillgate/service-kit/policy-epochs';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { withNats } from '@skillgate/testing/with-nats';
import { trace } from '@opentelemetry/api';
import { loadModels, modelsFile } from '@skillgate/prompt/models';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Approval } from '@skillgate/contracts/calls/orchestrator';
import type { AcceptParts } from '../accept-turn.js';
import { acceptTurn } from '../accept-turn.js';
import { ActiveTurns } from '../active-turns.js';
import { ApprovalsStore } from '../approvals-store.js';
import { callLedgers } from '../call-ledgers.js';
import { orchestratorConfig } from '../config.js';
import { modelClient } from '../model-client.js';
import { TakeOver } from '../take-over.js';
import { TurnStore } from '../turn-store.js';
import { WorkingCalls } from '../working-calls.js';
import { entryOf, skillOf } from './facts.js';
import { startStore, type StoreWorld } from './store-world.js';

/** One orchestrator of several, in this process. */
export interface Instance {
  readonly turns: ActiveTurns;
  readonly logged: string[];
  /** Looks for lapsed turns from now on. */
  takesOver(): void;
  /** Gets a message of a user for the model in the script. */
  ask(who: Who): Promise<void>;
  /** Renews no lease, takes no turn and asks no model any more, as a process that stands still. */
  freeze(): void;
}
export interface Who {
  account: string;
  user: string;
  chat: string;
  turn: string;
}
export const newWho = (): Who => ({ account: randomUUID(), user: randomUUID(), chat: randomUUID(), turn: randomUUID() });

/** Real broker, database and executor; catalog and registry open whatever the executor has; a model with a script. */
export async function startDurableHouse(executor: Executor) {
  const name = executor.name;
  const nats = await withNats([orchestratorEdges, gatewayEdges, catalogEdges, registryEdges, executorEdges(name)]);
  const [world, model] = await Promise.all([startStore(), startScriptedModel()]);
  const [catalog, registry, gateway, orchestrator] = await Promise.all(['catalog', 'registry', 'gateway', 'orchestrator'].map((service) => nats.connect(service)));
  await orchestrator!.reconcileStreams(streamsOf(orchestratorEdges));
  const signer = makeSigner(await newSigningKey(), 'registry');
  const ids = new Map<string, Who>();
  const tools = [...executor.tools.values()].map(({ manifest }): OpenedTool => ({ ...manifest, executor: name, skill: 'memo@1.0.0' }));
  const house = {
    /** Milliseconds that grants live. */
    grantMs: 60_000,
    /** Awaited before the registry answers. */
    beforeGrant: async () => undefined as void,
    /** Tools that need their user's yes. */
    confirm: new Set<string>(),
  };
  const grantFor = ({ account, user, chat, turn }: Who, change: object = {}) => {
    const exp = Math.floor((Date.now() + 60_000) / 1000);
    return signer.sign({ typ: 'grant', aud: name, account, user, chat, turn, tools: Object.fromEntries(tools.map((tool) => [tool.name, 'memo@1.0.0#aa'])), policyEpoch: 1, exp, ...change });
  };
  const hearings = [
    catalog!.serve(prepareTurnCall, async ({ pinned }) => ({ toolsAllowed: true, entries: [entryOf('memo')], always: [], loaded: pinned.map(({ slug }) => skillOf(slug, { receipt: 'a.b.c' })), withheld: [], policyEpoch: 1 })),
    catalog!.serve(loadSkillCall, async () => ({ ...skillOf('memo', { receipt: 'a.b.c' }), layer: 'default' as const, policyEpoch: 1 })),
    catalog!.serve(measureMonolith, async () => ({ bodiesTokens: 1, skills: [] }) as never),
    registry!.serve(listProfiles, async () => ({ profiles: [], allToolsTokens: 1 })),
    registry!.serve(registryPublicKeys, async () => signer.publicKeys()),
    registry!.serve(resolveTools, async ({ ticket }) => {
      await house.beforeGrant();
      const who = ids.get(ticket)!;
      const shown = tools.map((tool) => (house.confirm.has(tool.name) ? { ...tool, policy: 'confirm' as const, offer: 'a.b.c' } : tool));
      return { tools: shown, profiles: [{ name: 'docs', skill: 'memo@1.0.0' }], grants: [{ executor: name, grant: await grantFor(who), id: randomUUID(), expiresAt: Date.now() + house.grantMs }], withheld: [], policyEpoch: 1 };
    }),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
  const served = await serveExecutor(executor, { SKILLGATE_NATS_URL: nats.url, SKILLGATE_NATS_PASSWORD: nats.passwords[name], SKILLGATE_LOG_LEVEL: 'silent' });
  const stops: (() => Promise<unknown>)[] = [];

  return Object.assign(house, {
    world,
    nats,
    model: model as ScriptedModel,
    script: (script: Script) => model.extend(script),
    grantFor,
    approvals: new ApprovalsStore(world.dataSource),
    /** The calls of a turn that wait, once there are any. */
    async asked(who: Who): Promise<Approval[]> {
      for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const waiting = await this.approvals.waiting(who.account, who.turn);
        if (waiting) return Promise.all(waiting.approvals.map(async ({ id }) => (await this.approvals.get(who, id)).approval));
        if (Date.now() > end) throw new Error('the turn waits for nobody');
      }
    },
    /** As its user does: with a grant for exactly that call, which ends in `seconds`. */
    async approve(who: Who, { id, callId, argumentsHash: hash }: Approval, seconds = 300): Promise<void> {
      const exp = Math.floor(Date.now() / 1000) + seconds;
      const grant = { executor: name, grant: await grantFor(who, { call: { id: callId, argumentsHash: hash }, exp }), id: randomUUID(), expiresAt: exp * 1000 };
      const ticket = `a.${who.turn}.d`;
      ids.set(ticket, who);
      await this.approvals.decide({ ...who, actor: { roles: ['user'] }, ticket, trace: null }, id, { kind: 'approve', grant });
    },
    /** Everything that is published about a turn. */
    async follow({ turn }: Pick<Who, 'turn'>): Promise<TurnMessage[]> {
      const heard: TurnMessage[] = [];
      await gateway!.subscribeTurn(turn, (message) => heard.push(message)).ready;
      return heard;
    },
    async instance(limits: Record<string, string> = {}): Promise<Instance> {
      const wire = await nats.connect('orchestrator');
      const logged: string[] = [];
      const log = makeLog('orchestrator', 'info', { write: (line: string) => void logged.push(line) });
      const turns = new ActiveTurns(log);
      const config = orchestratorConfig.parse({ SKILLGATE_DATABASE_URL: 'postgres://x:y@127.0.0.1/z', SKILLGATE_MODEL_BASE_URL: model.url, SKILLGATE_MODEL: 'scripted-model', SKILLGATE_LEASE_MS: '3000', ...limits });
      const store = new TurnStore(world.dataSource, config.SKILLGATE_LEASE_MS, config.SKILLGATE_APPROVAL_MS);
      const models = loadModels(readFileSync(modelsFile, 'utf8'));
      const parts: AcceptParts = { config, models, fallbacks: [], client: modelClient(config), store, turns, working: new WorkingCalls(), epochs: new PolicyEpochs(), ledgers: callLedgers(wire, log), wire, log, tracer: trace.getTracer('spec'), monolith: async () => null };
      const takeOver = new TakeOver(parts, world.dataSource);
      stops.push(() => takeOver.stop(), () => turns.drain(0));
      return {
        turns,
        logged,
        takesOver: () => takeOver.start(),
        async ask(who) {
          const ticket = `a.${who.turn}.c`;
          ids.set(ticket, who);
          const claims = { ...who, iss: 'gateway', typ: 'ticket', overrides: {}, policyEpoch: 1, iat: 0, exp: 0, jti: 'j' } as never;
          const input = { ticket, messages: [{ role: 'user' as const, content: 'Go.' }], stateful: false, artifacts: [], sampling: {} };
          await acceptTurn(parts, claims, input, new AbortController().signal);
        },
        freeze: () => {
          void takeOver.stop();
          store.renew = () => new Promise(() => undefined);
          const never = (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
          parts.client.chat.completions.create = never as never;
        },
      };
    },
    async stop() {
      for (const stop of stops) await stop();
      await served.stop(5_000);
      await Promise.all([nats.close(), world.close(), model.close()]);
    },
  });
}
export type DurableHouse = Awaited<ReturnType<typeof startDurableHouse>>;

/** The journal's word on a turn, once it has one. */
export async function outcomeOf(world: StoreWorld, { account, turn }: Who, withinMs = 15_000) {
  for (const end = Date.now() + withinMs; ; ) {
    const found = await world.store.getWithSteps({ account }, turn);
    if (found.turn.outcome) return found;
    if (Date.now() > end) throw new Error(`the turn did not end within ${withinMs} ms; steps: ${JSON.stringify(found.steps)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
