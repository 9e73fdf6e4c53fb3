import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { authenticate, authenticateToken, type KeyPrincipal } from '@skillgate/contracts/calls/accounts';
import { getPersona, listPersonas, type PersonaView } from '@skillgate/contracts/calls/personas';
import { cancelTurn, getTurn, listModels, startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { platformEdges } from '@skillgate/contracts/services/all';
import { turnStream } from '@skillgate/contracts/streams';
import { ticketClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { bootService } from '@skillgate/service-kit/boot';
import { makeVerifier, newSigningKey } from '@skillgate/service-kit/signing';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import type { TurnHouse } from './chat/turn-house.js';
import type { TurnQueue } from './chat/turn-queue.js';
import { gatewayService } from './gateway.service-definition.js';
import { TURN_HOUSE } from './tokens.js';

export const keyOf = (name: string): string => `sk-sg-${name.padEnd(43, '0')}`;

export const people: Record<string, KeyPrincipal> = {
  user: person('user'),
  admin: person('user', 'admin'),
  operator: person('operator'),
};
/** Of the user's account. */
people['colleague'] = { ...people['user']!, user: randomUUID(), key: randomUUID() };

function person(...roles: KeyPrincipal['roles']): KeyPrincipal {
  return {
    account: randomUUID(),
    accountName: 'Test',
    user: randomUUID(),
    key: randomUUID(),
    roles,
    tier: 'pro',
    capabilities: ['tools'],
    policyEpoch: 3,
  };
}

export const finished = (answer: string): TurnOutcome => ({
  status: 'finished',
  answer,
  finishReason: 'stop',
  error: null,
  artifacts: [],
  usage: { promptTokens: 10, completionTokens: 4, cachedTokens: 2 },
});

export interface StartedTurn {
  input: CallParsedInput<typeof startTurn>;
  ticket: TicketClaims & { chat: string; turn: string };
  /** Publishes on the turn's stream. */
  say(message: TurnMessage): void;
  /** What the journal answers; running until it is set. */
  outcome: TurnOutcome | null;
}

export interface StartedGateway {
  url?: string;
  stop(budgetMs?: number): Promise<void>;
  /** Of one that runs in this process. */
  app?: Pick<INestApplicationContext, 'get'>;
  wire?: Pick<Wire, 'status'>;
}

/** What the clients of a gateway in this process have not taken yet. */
export const queuesOf = ({ app }: StartedGateway): Set<TurnQueue> => app!.get<TurnHouse>(TURN_HOUSE).queues;

/** The gateway with real NATS and generated permissions; its peers are the contracts and nothing behind them. */
export interface GatewayHouse {
  nats: TestNats;
  gateway: StartedGateway;
  url: string;
  /** Connections of the peers. */
  wires: Record<'accounts' | 'orchestrator' | 'catalog' | 'artifacts' | 'registry', Wire>;
  turns: Map<string, StartedTurn>;
  cancelled: string[];
  authentications: number;
  /** Whom a token of another issuer stands for, or how it is refused. */
  tokens: Map<string, () => CallOutput<typeof authenticateToken>>;
  journalReads: number;
  /** Of every account here. */
  personas: PersonaView[];
  /** Replaces what the orchestrator does with a new turn: by default nothing, which is a turn that runs. */
  onTurn: (turn: StartedTurn) => void | Promise<void>;
  /** `GET` unless it has a body; with the key of one of `people` unless told otherwise. */
  ask(path: string, options?: AskOptions): Promise<Response>;
  /** Another gateway of the same house, with the same key; closed with the house. */
  addReplica(): Promise<Replica>;
  close(): Promise<void>;
}

export type Replica = Pick<GatewayHouse, 'gateway' | 'url' | 'ask'>;

export interface AskOptions extends Omit<RequestInit, 'headers'> {
  as?: string | null;
  json?: unknown;
  headers?: Record<string, string>;
}

const here = (env: NodeJS.ProcessEnv): Promise<StartedGateway> => bootService(gatewayService, env);

/** `start` decides where the gateway runs: in this process unless it says otherwise. */
export async function openGatewayHouse(
  env: NodeJS.ProcessEnv = {},
  start: (env: NodeJS.ProcessEnv) => Promise<StartedGateway> = here,
): Promise<GatewayHouse> {
  const nats = await withNats(platformEdges);
  const settings: NodeJS.ProcessEnv = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD: nats.passwords['gateway'],
    SKILLGATE_HTTP_PORT: '0',
    SKILLGATE_LOG_LEVEL: 'silent',
    SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()),
    SKILLGATE_STREAM_SILENCE_MS: '150',
    SKILLGATE_CANCEL_GRACE_MS: '100',
    ...env,
  };
  const gateway = await start(settings);
  const others: StartedGateway[] = [];
  const names = ['accounts', 'orchestrator', 'catalog', 'artifacts', 'registry'] as const;
  const wires = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await nats.connect(name)] as const)),
  ) as GatewayHouse['wires'];
  await wires.orchestrator.reconcileStreams([turnStream]);
  const house: GatewayHouse = {
    nats,
    gateway,
    url: gateway.url!,
    wires,
    turns: new Map(),
    cancelled: [],
    authentications: 0,
    tokens: new Map(),
    journalReads: 0,
    personas: [],
    onTurn: () => undefined,
    ask: (path, options) => ask(`${gateway.url}${path}`, options),
    addReplica: async () => {
      const replica = await start(settings);
      others.push(replica);
      return { gateway: replica, url: replica.url!, ask: (path, options) => ask(`${replica.url}${path}`, options) };
    },
    close: async () => {
      try {
        await Promise.all([gateway, ...others].map((each) => each.stop(2_000)));
      } finally {
        await nats.close();
      }
    },
  };
  await serveAccounts(house);
  await serveOrchestrator(house);
  return house;
}

function ask(url: string, { as = 'user', json, headers = {}, ...init }: AskOptions = {}): Promise<Response> {
  return fetch(url, {
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    ...init,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${keyOf(as)}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}

async function serveAccounts(house: GatewayHouse): Promise<void> {
  await house.wires.accounts.serve(authenticate, async ({ key }) => {
    house.authentications += 1;
    const found = Object.entries(people).find(([name]) => keyOf(name) === key)?.[1];
    if (!found) throw refuse('unknown-key', 'No such key.');
    return found;
  }).ready;
  await house.wires.accounts.serve(listPersonas, async () => ({ personas: house.personas })).ready;
  await house.wires.accounts.serve(getPersona, async ({ slug }) => {
    const found = house.personas.find((persona) => persona.slug === slug);
    if (!found) throw refuse('unknown-persona', `No persona "${slug}".`);
    return found;
  }).ready;
  await house.wires.accounts.serve(authenticateToken, async ({ token }) => {
    house.authentications += 1;
    const answer = house.tokens.get(token);
    if (!answer) throw refuse('token-invalid', 'No such token.');
    return answer();
  }).ready;
}

async function serveOrchestrator(house: GatewayHouse): Promise<void> {
  const wire = house.wires.orchestrator;
  const tickets = makeVerifier({
    issuer: 'gateway',
    typ: 'ticket',
    schema: ticketClaims,
    fetchKeys: () => wire.call(gatewayPublicKeys, {}),
  });
  const known = async (token: string, turn: string) => {
    const { account, user } = await tickets.verify(token);
    const found = house.turns.get(turn);
    if (found?.ticket.account !== account || found.ticket.user !== user) throw refuse('unknown-turn', `There is no turn ${turn} here.`);
    return found;
  };
  const hearings = [
    wire.serve(startTurn, async (input) => {
      const ticket = (await tickets.verify(input.ticket)) as StartedTurn['ticket'];
      const turn: StartedTurn = { input, ticket, outcome: null, say: (message) => void wire.publishTurn(ticket.turn, message) };
      house.turns.set(ticket.turn, turn);
      await house.onTurn(turn);
      return { turn: ticket.turn, chat: ticket.chat, model: input.model ?? 'default' };
    }),
    wire.serve(getTurn, async ({ ticket, turn }) => {
      house.journalReads += 1;
      const { outcome, input, ticket: own } = await known(ticket, turn);
      return { turn, chat: own.chat, model: input.model ?? 'default', status: outcome?.status ?? ('running' as const), outcome };
    }),
    wire.serve(cancelTurn, async ({ ticket, turn }) => {
      await known(ticket, turn);
      house.cancelled.push(turn);
      return { status: 'cancelling' as const };
    }),
    wire.serve(listModels, async () => ({
      models: ['other', 'default'].map((id) => ({ id, contextTokens: 1000, usesTools: true })),
      default: 'default',
    })),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
}

export const persona = (more: Partial<PersonaView> = {}): PersonaView => ({
  ...{ id: randomUUID(), slug: 'editor', name: 'Editor', instructions: 'Be brief.', model: null, skills: {}, integrations: null },
  ...{ revision: 2, createdAt: '2026-11-30T12:00:00.000Z', retiredAt: null, policyEpoch: 9 },
  ...more,
});

/** Tries until it holds; what a client's leaving sets off takes a moment. */
export async function until(holds: () => boolean, ms = 3_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not come to hold in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
