import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@skillgate/backing/free-port';
import { createEmulator } from 'emulate';
import { confineListen } from './confine-listen.js';
import { SlackExtras, type Ask, type Json } from './slack-extras.js';

/** One request to the Web API, as it came over the line. */
export interface SlackCall {
  readonly method: string;
  readonly args: Readonly<Record<string, string>>;
  readonly token: string;
}

/**
 * What a method is to answer in place of its own answer, once for each call: a body, with a status and headers; or `lose`:
 * it does its work and the connection breaks before the answer. Undefined: as ever.
 */
export type Stunt = { body?: Json; status?: number; headers?: Record<string, string> } | 'lose' | undefined;

/** A Slack workspace on this machine: `emulate` behind a log, with what it lacks by Slack's published shapes. */
export interface SlackStage {
  /** Without a slash; the authorization page is at `/oauth/v2/authorize`. */
  readonly url: string;
  /** Of the Web API, with a slash at its end. */
  readonly apiUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly calls: SlackCall[];
  /** Methods that were called, in order. */
  methods(): string[];
  /** A new token of that person, with all scopes unless given. */
  token(handle: string, scopes?: readonly string[]): string;
  /** From now on that token opens nothing. */
  revoke(token: string): void;
  /** Plays before every call of that method; the newest one counts. */
  stunt(method: string, play: (args: Readonly<Record<string, string>>, count: number) => Stunt): void;
  /** Ends all stunts and empties the log. */
  calm(): void;
  /** The emulator's own API under that person's token, past log and stunts. */
  as(handle: string): <T = Json>(method: string, args?: Record<string, unknown>) => Promise<T>;
  /** Follows an authorization URL as a browser in which that person agrees. @returns where it was sent, with its query */
  approve(authorizationUrl: string, handle: string): Promise<string>;
  close(): Promise<void>;
}

export interface Cast {
  users?: readonly { name: string; real_name?: string; email?: string; profile?: Json }[];
  channels?: readonly { name: string; topic?: string; purpose?: string; is_private?: boolean }[];
  redirectUris?: readonly string[];
}

const everything = [
  ...[
    'search:read',
    'channels:read',
    'channels:history',
    'groups:read',
    'groups:history',
    'im:read',
    'im:history',
    'im:write',
    'mpim:read',
    'mpim:history',
  ],
  ...['users:read', 'users:read.email', 'chat:write', 'canvases:read', 'canvases:write'],
];
const client = { id: '11111.22222', secret: randomBytes(12).toString('hex') };
/** Tokens that the emulator is told of beforehand, since it takes every other one for its first user's. */
const spare = 40;

export async function startSlackStage({ users = [], channels = [], redirectUris = [] }: Cast = {}): Promise<SlackStage> {
  const port = await freePort();
  const emulatorUrl = `http://127.0.0.1:${port}`;
  const people = ['admin', ...users.map(({ name }) => name)];
  const unused = new Map(people.map((name) => [name, Array.from({ length: spare }, () => `xoxp-${randomBytes(15).toString('hex')}`)]));
  const tokens = Object.fromEntries(
    [...unused].flatMap(([login, made]) =>
      made.map((token) => [token, { login, scopes: [...everything, 'channels:manage', 'channels:write'] }]),
    ),
  );
  const oauth = {
    client_id: client.id,
    client_secret: client.secret,
    app_id: 'A000000001',
    name: 'Skillgate',
    redirect_uris: redirectUris,
    scopes: ['chat:write'],
    user_scopes: everything,
  };
  const seed = { tokens, slack: { users, channels, oauth_apps: [oauth], strict_scopes: true } };
  const emulator = await confineListen(() => createEmulator({ service: 'slack', port, baseUrl: emulatorUrl, seed }));

  const calls: SlackCall[] = [];
  const stunts = new Map<string, { play: Parameters<SlackStage['stunt']>[1]; count: number }>();
  /** Tokens by what they may do. */
  const valid = new Map<string, readonly string[]>();
  const ask: Ask = async (method, args, token) => {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(args))
      if (value !== undefined) body.set(key, typeof value === 'string' ? value : JSON.stringify(value));
    const answer = await fetch(`${emulatorUrl}/api/${method}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
    return answer.status === 404 ? { ok: false, error: 'unknown_method' } : ((await answer.json()) as Json);
  };
  const extras = new SlackExtras(ask);

  const newToken = (handle: string, scopes: readonly string[] = everything): string => {
    const token = unused.get(handle)?.pop();
    if (!token) throw new Error(`nobody on this stage is called "${handle}", or all of their tokens are used`);
    valid.set(token, scopes);
    return token;
  };

  async function webApi(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const args = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    calls.push({ method, args, token });
    const stunt = stunts.get(method);
    const played = stunt?.play(args, ++stunt.count);
    if (played && played !== 'lose') return reply(response, played.body ?? {}, played.status, played.headers);
    const answer = await perform(method, args, token);
    if (played === 'lose') return void request.socket.destroy();
    reply(response, answer);
  }

  async function perform(method: string, args: Record<string, string>, token: string): Promise<Json> {
    if (method === 'oauth.v2.access') return issue(await ask(method, args, token));
    const scopes = valid.get(token);
    if (!scopes) return { ok: false, error: token ? 'invalid_auth' : 'not_authed' };
    return extras.perform(method, args, token, scopes);
  }

  function issue(answer: Json): Json {
    const { access_token: token, scope } = (answer.authed_user ?? {}) as { access_token?: string; scope?: string };
    if (token) valid.set(token, (scope ?? '').split(','));
    return answer;
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', emulatorUrl);
    const method = /^\/api\/([\w.]+)$/.exec(pathname)?.[1];
    const done = method ? webApi(method, request, response) : forward(emulatorUrl, request, response);
    done.catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...{ url, apiUrl: `${url}/api/`, client, calls, token: newToken },
    methods: () => calls.map(({ method }) => method),
    revoke: (token) => void valid.delete(token),
    stunt: (method, play) => void stunts.set(method, { play, count: 0 }),
    calm() {
      stunts.clear();
      calls.length = 0;
    },
    as: (handle) => {
      const token = newToken(handle);
      return async <T>(method: string, args: Record<string, unknown> = {}) => (await ask(method, args, token)) as T;
    },
    approve: (authorizationUrl, handle) => approve(authorizationUrl, handle),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await emulator.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function reply(response: ServerResponse, body: Json, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The pages of the sign-in. */
async function forward(to: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'POST' ? await bodyOf(request) : undefined;
  const headers = { 'content-type': request.headers['content-type'] ?? 'text/plain' };
  const answer = await fetch(to + request.url, { method: request.method, headers, body, redirect: 'manual' });
  const location = answer.headers.get('location');
  response
    .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/html', ...(location && { location }) })
    .end(await answer.text());
}

async function approve(authorizationUrl: string, handle: string): Promise<string> {
  const page = await (await fetch(authorizationUrl)).text();
  const form = page.split('<form').find((part) => part.includes(`<span class="user-login">${handle}</span>`));
  if (!form)
    throw new Error(
      `the page of the sign-in does not offer "${handle}": ${page.replaceAll(/<style[^]*?<\/style>|<[^>]+>/g, ' ').slice(0, 300)}`,
    );
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
  ]);
  const answer = await fetch(new URL('/oauth/v2/authorize/callback', authorizationUrl), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const landed = answer.headers.get('location');
  if (!landed) throw new Error(`the sign-in answered ${answer.status} and no redirect`);
  return landed;
}
