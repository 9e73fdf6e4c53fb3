import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import { describe, expect, it } from '@jest/globals';
import { getPersona } from '@skillgate/contracts/calls/personas';
import { statArtifact } from '@skillgate/contracts/calls/artifacts';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { loadModels } from '@skillgate/prompt/models';
import { makeLog } from '@skillgate/service-kit/log';
import { type AcceptParts, acceptTurn } from './accept-turn.js';
import { ActiveTurns } from './active-turns.js';
import { orchestratorConfig, type OrchestratorConfig } from './config.js';
import { cancelledByUser } from './keep-lease.js';
import { chatOf } from './spec-support/facts.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { NewTurn } from './turn-records.js';
import { WorkingCalls } from './working-calls.js';

const ticket = { account: randomUUID(), user: randomUUID(), turn: randomUUID(), chat: randomUUID() } as TicketClaims;
const input = { ticket: 'the.signed.ticket', messages: [{ role: 'user' as const, content: 'Hi' }], stateful: false, artifacts: [], sampling: {} };
const env = { SKILLGATE_DATABASE_URL: 'postgres://o:p@127.0.0.1/x', SKILLGATE_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' };

/** Everything around `acceptTurn`; the turn itself waits at the catalog until it is stopped. */
function scene(change: Partial<OrchestratorConfig> = {}, begin: () => Promise<void> = async () => undefined, commit: () => Promise<void> = async () => undefined) {
  const wire = new FakeWire().on(prepareTurnCall, () => new Promise(() => undefined));
  const rows: NewTurn[] = [];
  const stopped: string[] = [];
  const log = makeLog('orchestrator', 'silent');
  const turns = new ActiveTurns(log);
  const start = turns.start.bind(turns);
  turns.start = (turn, _work) =>
    start(turn, (abort) => new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(void stopped.push((abort.signal.reason as { slug: string }).slug)))));
  const store = {
    async begin(row: NewTurn, onPlaced: (chat: unknown) => void) {
      await begin();
      rows.push(row);
      onPlaced(chatOf());
      await commit();
    },
  };
  const parts = {
    config: { ...orchestratorConfig.parse(env), ...change },
    models: loadModels('models: []'),
    wire: wire.wire,
    working: new WorkingCalls(),
    tracer: trace.getTracer('spec'),
    ...{ store, turns, log },
  } as unknown as AcceptParts;
  const accept = (asked: Partial<Parameters<typeof acceptTurn>[2]> = {}, claims = ticket, caller = new AbortController().signal) => acceptTurn(parts, claims, { ...input, ...asked }, caller);
  return { wire, rows, turns, stopped, accept };
}

describe('a turn is accepted', () => {
  it('when it is written down, and runs on by itself', async () => {
    const { accept, rows, turns } = scene();
    expect(await accept()).toEqual({ turn: ticket.turn, chat: ticket.chat, model: 'skillgate-offline' });
    expect(rows).toMatchObject([{ ...ticket, model: 'skillgate-offline', stateful: false, items: [{ kind: 'facts' }, { kind: 'user', content: 'Hi' }] }]);
    expect(turns.size).toBe(1);
  });

  it('with the limits of its ticket, which the store holds it to', async () => {
    const { accept, rows } = scene();
    const limits = { turnsPerDay: 5, tokensPerDay: null, parallelTurns: 1 };
    await accept({}, { ...ticket, limits });
    expect(rows).toMatchObject([{ limits }]);
  });

  describe('as a persona', () => {
    const ref = { id: randomUUID(), slug: 'editor', revision: 1 };
    const view = { ...ref, name: 'Editor', instructions: 'Be brief.', skills: {}, integrations: null, createdAt: '', retiredAt: null, policyEpoch: 1 };
    const asEditor = { ...ticket, persona: ref };

    it('with the words of now, kept for whoever takes it over, and with the model of the persona unless another is asked for', async () => {
      const { accept, rows, wire } = scene({ SKILLGATE_MODEL: 'skillgate-offline' });
      wire.on(getPersona, () => ({ ...view, revision: 2, model: 'skillgate-offline' }));
      expect(await accept({}, asEditor)).toMatchObject({ model: 'skillgate-offline' });
      const persona = { ...ref, revision: 2, name: 'Editor', instructions: 'Be brief.' };
      expect(rows).toMatchObject([{ persona, request: { persona } }]);
    });

    it.each<[string, () => unknown, string]>([
      ['was retired', () => { throw refuse('unknown-persona', 'Gone.'); }, 'unknown-persona'],
      ['was replaced by another of its slug', () => ({ ...view, id: randomUUID(), model: null }), 'unknown-persona'],
      ['has a model that is gone', () => ({ ...view, model: 'gone' }), 'unknown-model'],
    ])('not when it %s: nothing is written', async (_sentence, answer, slug) => {
      const { accept, rows, wire } = scene();
      wire.on(getPersona, answer as never);
      await expect(accept({}, asEditor)).rejects.toMatchObject({ slug });
      expect(rows).toEqual([]);
    });
  });

  it('with its attached files named', async () => {
    const { accept, rows, wire } = scene();
    const id = `art_${'1'.repeat(32)}`;
    wire.on(statArtifact, () => ({ id, name: 'a.md', mime: 'text/markdown', bytes: 1, sha256: 'a'.repeat(64), pieces: 1 }));
    await accept({ artifacts: [id] });
    expect(JSON.stringify(rows[0]?.items)).toContain(`artifact: ${id}`);
  });

  it.each([
    ['as its model\'s entry says', {}, 'expand'],
    ['as the operator says', { SKILLGATE_PLAN: 'dispatch' as const }, 'dispatch'],
  ])('with the plan %s', async (_, change, plan) => {
    const { accept, rows } = scene(change);
    await accept();
    expect(rows[0]?.plan).toBe(plan);
  });
});

describe('a turn that is being written down', () => {
  it('can be cancelled from the moment in which others may see it', async () => {
    let cancelled = false;
    const { accept, stopped, turns } = scene({}, undefined, async () => void (cancelled = turns.cancel(ticket.turn!, cancelledByUser())));
    await accept();
    expect([cancelled, stopped]).toEqual([true, ['turn-cancelled']]);
  });
});

describe('a turn is not accepted', () => {
  it.each<[string, Parameters<ReturnType<typeof scene>['accept']>, string]>([
    ['with a ticket for files alone', [{}, { ...ticket, turn: undefined }], 'ticket-invalid'],
    ['with a model that nobody named', [{ model: 'gpt-9' }], 'unknown-model'],
    ['without a question', [{ messages: [{ role: 'system', content: 'x' }] }], 'empty-conversation'],
  ])('%s', async (_, args, slug) => {
    const { accept, rows, turns } = scene();
    await expect(accept(...args)).rejects.toMatchObject({ kind: 'refusal', slug });
    expect([rows, turns.size]).toEqual([[], 0]);
  });

  it('with a file that is not there: nothing is written', async () => {
    const { accept, rows, wire } = scene();
    wire.on(statArtifact, () => {
      throw refuse('unknown-artifact', 'No such file.');
    });
    await expect(accept({ artifacts: [`art_${'1'.repeat(32)}`] })).rejects.toMatchObject({ slug: 'unknown-artifact' });
    expect(rows).toEqual([]);
  });

  it('when it cannot be written down: nothing runs', async () => {
    const { accept, turns } = scene({}, () => Promise.reject(unavailable('database-down', 'away')));
    await expect(accept()).rejects.toMatchObject({ slug: 'database-down' });
    expect(turns.size).toBe(0);
  });

  it('for a caller that has gone: nothing is written', async () => {
    const { accept, rows } = scene();
    await expect(accept({}, ticket, AbortSignal.abort(unavailable('deadline-passed', 'too late')))).rejects.toMatchObject({ slug: 'deadline-passed' });
    expect(rows).toEqual([]);
  });

  it.each([
    ['gives it up while it is written down: it is stopped, since nobody knows of it', 'cancelled', ['turn-cancelled']],
    ['waits no longer while it is written down: it goes on, since it will be asked for again', 'deadline-passed', []],
  ])('for a caller that %s', async (_, slug, reasons) => {
    const caller = new AbortController();
    const { accept, stopped } = scene({}, async () => caller.abort(unavailable(slug, 'too late')));
    await accept({}, ticket, caller.signal);
    expect(stopped).toEqual(reasons);
  });
});
