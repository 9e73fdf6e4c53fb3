import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { loadSkill } from '@skillgate/contracts/calls/catalog';
import { type HeldGrant, resolveTools } from '@skillgate/contracts/calls/registry';
import type { HouseError } from '@skillgate/contracts/refusal';
import { type Route, route } from '@skillgate/contracts/route';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { makeSigner } from '@skillgate/service-kit/signing';
import { type LocalHouse, startLocalHouse } from '@skillgate/standalone/local-house';
import { houseEdges } from '@skillgate/standalone/house-services';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { type Answer, modelId, readAnswer } from './test-house.fixture.js';

export const replicas = 2;

/** An account of a test's own, with a user's key to it. */
export interface TestAccount {
  readonly id: string;
  readonly user: string;
  readonly key: string;
}

/** A grant as it was held before something changed, and the turn that it is for. */
export interface OldGrant {
  readonly held: HeldGrant;
  readonly turn: string;
}

export interface ReplicatedHouse {
  readonly house: LocalHouse;
  readonly model: ScriptedModel;
  account(tier: string): Promise<TestAccount>;
  /** An operator's change, by REST. */
  put(path: string, body: unknown): Promise<void>;
  /** As a client, at the gateway of that number. */
  ask(gateway: number, body: object, key: string): Promise<Response>;
  /** Plays a script for one turn, at the gateway of that number. */
  turn(script: Script, gateway: number, key: string): Promise<Answer>;
  get<T>(path: string, key: string): Promise<T>;
  route(turn: string, key: string): Promise<Route>;
  /** What the orchestrator would hold for a turn of that account with `briefing-memo` loaded. */
  grantFor(account: TestAccount): Promise<OldGrant>;
  /** How a call of `docs_write_text` under that grant ends: `ok`, or the slug. */
  callWith(grant: OldGrant): Promise<string>;
  stop(): Promise<void>;
}

/** Every service, but those named, may do what its edges say; those watch no event. */
export const deaf = (...services: string[]): ServiceEdges[] =>
  houseEdges.map((edges) => (services.includes(edges.service) ? { ...edges, watches: [] } : edges));

/** The whole house with two of every service, and hands inside: the keys that sign, and the orchestrator's place on the wire. */
export async function startReplicatedHouse({ edges, env = {} }: { edges?: readonly ServiceEdges[]; env?: NodeJS.ProcessEnv } = {}): Promise<ReplicatedHouse> {
  const model = await startScriptedModel();
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-replicas-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const house = await startLocalHouse({ stateDir, durable: false, modelUrl: model.url, ownTraces: true, replicas, edges, env: { SKILLGATE_MODEL: modelId, ...env } });
  const { signing } = JSON.parse(readFileSync(join(stateDir, 'secrets.json'), 'utf8')) as { signing: Record<string, Parameters<typeof makeSigner>[0]> };
  const tickets = makeSigner(signing.gateway!, 'gateway');
  const wire = await house.connectAs('orchestrator');
  await wire.makeKeyValues(callLedgerBucket('docs')); // as an orchestrator does before its first call with effects

  const send = (url: string, method: string, key: string, body?: unknown) =>
    fetch(url, { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) });
  const asOperator = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const answer = await send(house.url + path, method, house.keys.operator, body);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const ask = (gateway: number, body: object, key: string) => send(`${house.urls[gateway % replicas]}/v1/chat/completions`, 'POST', key, { model: modelId, stream: true, ...body });
  const get = async <T>(path: string, key: string) => (await (await send(house.url + path, 'GET', key)).json()) as T;
  return {
    house,
    model,
    ask,
    get,
    async account(tier) {
      const { id } = await asOperator<{ id: string }>('POST', '/api/v1/accounts', { name: `test ${tier}`, tier });
      const { secret, user } = await asOperator<{ secret: string; user: string }>('POST', `/api/v1/accounts/${id}/keys`, { name: 'test', roles: ['user'] });
      return { id, user, key: secret };
    },
    put: (path, body) => asOperator('PUT', path, body),
    async turn(script, gateway, key) {
      model.extend(script);
      const answer = await readAnswer(await ask(gateway, { messages: [{ role: 'user', content: 'Write the notes.' }] }, key));
      model.assertConsumed();
      return answer;
    },
    route: async (turn, key) => route.parse(await get(`/api/v1/turns/${turn}/route`, key)),
    async grantFor({ id: account, user }) {
      const place = { account, user, chat: randomUUID(), turn: randomUUID() };
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const ticket = await tickets.sign({ typ: 'ticket', ...place, overrides: {}, policyEpoch: 1, exp });
      const { receipt } = await wire.call(loadSkill, { ticket, slug: 'briefing-memo', modelUsesTools: true });
      const { grants } = await wire.call(resolveTools, { ticket, receipts: [receipt] });
      return { held: grants.find(({ executor }) => executor === 'docs')!, turn: place.turn };
    },
    callWith: ({ held, turn }) =>
      wire
        .callTool('docs', 'docs_write_text', { arguments: { file_name: 'x.txt', content: 'x' } }, { grant: held.grant, callId: randomUUID(), turnId: turn, deadlineMs: 10_000 })
        .then(() => 'ok', ({ slug }: HouseError) => slug),
    async stop() {
      await house.stop();
      await model.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
