// The Slack workspace of tests: on this machine alone, with the tokens that it gave out and no others.
import { networkInterfaces } from 'node:os';
import { type Server, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { confineListen } from './confine-listen.js';
import { type SlackStage, startSlackStage } from './slack-stage.js';

const reaches = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2_000 }, () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false)).once('timeout', () => (socket.destroy(), resolve(false)));
  });
const elsewhere =
  Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === 'IPv4')?.address ?? '127.0.0.2'; // Linux answers on all of 127/8

describe('a server that listens on all interfaces', () => {
  it('is reached on 127.0.0.1 alone when it is confined, and elsewhere too when it is not', async () => {
    const confined = await confineListen(async () => createServer().listen(0, undefined));
    const { port } = confined.address() as { port: number };
    expect([await reaches(port, '127.0.0.1'), await reaches(port, elsewhere)]).toEqual([true, false]);
    confined.close();
    const open = await new Promise<Server>(
      (resolve) =>
        void createServer().listen(0, undefined, function (this: Server) {
          resolve(this);
        }),
    );
    expect(await reaches((open.address() as { port: number }).port, elsewhere)).toBe(true);
    open.close();
  });

  it('is an error where it cannot be confined', async () => {
    await expect(confineListen(async () => createServer().listen({ port: 0, host: '0.0.0.0' }))).rejects.toThrow(
      /other addresses than 127\.0\.0\.1/,
    );
  });
});

describe('the workspace', () => {
  let stage: SlackStage;
  beforeAll(async () => {
    stage = await startSlackStage({ users: [{ name: 'ann' }], channels: [{ name: 'web' }] });
  });
  afterAll(() => stage?.close());

  const ask = async (method: string, token: string, args: Record<string, string> = {}) =>
    (
      await fetch(`${stage.apiUrl}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new URLSearchParams(args),
      })
    ).json() as Promise<Record<string, unknown>>;

  it('knows its people by the tokens that it gave out, until they are revoked', async () => {
    const token = stage.token('ann');
    expect(await ask('auth.test', token)).toMatchObject({ ok: true, user: 'ann' });
    expect(await ask('auth.test', 'xoxp-somebody-elses')).toEqual({ ok: false, error: 'invalid_auth' });
    stage.revoke(token);
    expect(await ask('auth.test', token)).toEqual({ ok: false, error: 'invalid_auth' });
  });

  it('lets a token do what its scopes say, also where the emulator has no such method', async () => {
    expect(await ask('search.messages', stage.token('ann', ['chat:write']), { query: 'x' })).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed: 'search:read',
    });
    expect(await ask('admin.users.list', stage.token('ann'))).toEqual({ ok: false, error: 'unknown_method' });
  });

  it('keeps what was asked, in order, and plays what it is told', async () => {
    stage.calm();
    stage.stunt('users.list', (_args, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '3' } } : undefined));
    const token = stage.token('ann');
    await ask('users.list', token).catch(() => undefined);
    expect(await ask('users.list', token, { limit: '1' })).toMatchObject({ ok: true, members: [{}] });
    expect(stage.calls).toEqual([
      { method: 'users.list', args: {}, token },
      { method: 'users.list', args: { limit: '1' }, token },
    ]);
  });
});
