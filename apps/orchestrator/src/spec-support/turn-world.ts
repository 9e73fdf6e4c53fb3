import { trace } from '@opentelemetry/api';
import { searchSkills, loadSkill as loadSkillCall, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { turnOutcome, type TurnMessage, type TurnOutcome } from '@skillgate/contracts/turn-stream';
import { makeLog } from '@skillgate/service-kit/log';
import { PolicyEpochs } from '@skillgate/service-kit/policy-epochs';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { ActiveTurns } from '../active-turns.js';
import type { OrchestratorConfig } from '../config.js';
import { type LaunchParts, launchTurn } from '../launch-turn.js';
import { modelClient } from '../model-client.js';
import type { ChatState, NewTurn, Unsaved } from '../turn-records.js';
import type { TurnStore } from '../turn-store.js';
import { WorkingCalls } from '../working-calls.js';
import { chatOf, entryOf, modelOf, resolvedOf, skillOf, toolOf, turnOf } from './facts.js';
import { FakeWire } from './fake-wire.js';

const config = { SKILLGATE_TURN_STEPS: 4, SKILLGATE_COMPACT_AT: 0.85, SKILLGATE_TURN_TOKENS: 1_000_000, SKILLGATE_TURN_CALLS: 8, SKILLGATE_TURN_MS: 30_000, SKILLGATE_MODEL_STALL_MS: 5_000, SKILLGATE_LEASE_MS: 15_000 } as OrchestratorConfig;

/** A place in a model's answer, or in a commit, where a test does something. */
export function gate() {
  let reach = () => undefined as void;
  let open = () => undefined as void;
  const arrived = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { arrived, open: () => open(), wait: () => (reach(), opened) };
}

export interface RunningTurn {
  turn: NewTurn;
  /** The outcome that was published; undefined when none was. */
  ended: Promise<TurnOutcome | undefined>;
}

interface StartOptions {
  limits?: Partial<OrchestratorConfig>;
  chat?: ChatState;
  begun?: Promise<void>;
  entry?: ModelEntry;
  fallbacks?: ModelEntry[];
}

/** One turn at a time over a scripted model; catalog, registry, executors and store are a test's to change. */
export class TurnWorld {
  /** What happened, in order: `commit`, `end`, stages of progress, and the kinds of everything else that was published. */
  readonly events: string[] = [];
  /** What the journal got. */
  readonly items: Unsaved['items'] = [];
  readonly steps: Unsaved['steps'] = [];
  readonly logged: string[] = [];
  readonly epochs = new PolicyEpochs();
  private readonly log = makeLog('orchestrator', 'trace', { write: (line: string) => void this.logged.push(line) });
  readonly turns = new ActiveTurns(this.log);
  readonly store: Pick<TurnStore, 'append' | 'end' | 'renew' | 'release'>;
  readonly wire = new FakeWire()
    .on(prepareTurnCall, () => ({ toolsAllowed: true, entries: [entryOf('memo')], always: [], loaded: [], withheld: [], policyEpoch: 1 }))
    .on(searchSkills, () => ({ skills: [], loadable: 0, next: null }))
    .on(loadSkillCall, () => ({ ...skillOf('memo'), layer: 'default' as const, policyEpoch: 1 }))
    .on(resolveTools, () => resolvedOf([toolOf('docs_read')]))
    .onTool('docs_read', () => ({ content: 'text' }));

  static async start(): Promise<TurnWorld> {
    return new TurnWorld(await startScriptedModel());
  }

  private constructor(readonly model: ScriptedModel) {
    const take = (event: string) => async (_: unknown, __: unknown, unsaved: Unsaved) => {
      this.events.push(event);
      this.items.push(...unsaved.items);
      this.steps.push(...unsaved.steps);
    };
    this.store = { append: take('commit'), end: take('end'), renew: async () => ({ held: true, cancelRequested: false }), release: async () => (this.events.push('release'), true) };
  }

  run(script: Script, { limits = {}, chat = chatOf(), begun = Promise.resolve(), entry = modelOf(), fallbacks = [] }: StartOptions = {}): RunningTurn {
    this.model.extend(script);
    let outcome: TurnOutcome | undefined;
    const publishTurn = (_: string, { body }: TurnMessage) => {
      this.events.push(body.type === 'progress' ? body.progress.stage : body.type);
      if (body.type === 'ended') outcome = turnOutcome.parse(body.outcome);
    };
    const { wire, store, turns, log, model, epochs } = this;
    const parts = {
      config: { ...config, ...limits },
      fallbacks,
      client: modelClient({ SKILLGATE_MODEL_BASE_URL: model.url, SKILLGATE_MODEL_API_KEY: 'none' }),
      monolith: async () => ({ bodiesTokens: 1_000, allToolsTokens: 500 }),
      wire: { ...wire.wire, publishTurn },
      tracer: trace.getTracer('spec'),
      working: new WorkingCalls(),
      ledgers: async () => undefined,
      ...{ store, turns, log, epochs },
    } as unknown as LaunchParts;
    const turn = turnOf({ items: chat.history });
    launchTurn(parts, { turn, ticket: 'ticket', entry, sampling: { temperature: 0 }, chat, begun });
    return { turn, ended: turns.drain(60_000).then(() => outcome) };
  }

  /** Waits until something of that name has happened. */
  async until(event: string): Promise<void> {
    while (!this.events.includes(event)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
