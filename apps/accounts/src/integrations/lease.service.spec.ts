// Leases of credentials: two replicas of accounts, a real OAuth server whose refresh tokens rotate and may be used once.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getAccount, setIntegration, setTier } from '@skillgate/contracts/calls/accounts';
import * as calls from '@skillgate/contracts/calls/integrations';
import type { HouseError } from '@skillgate/contracts/refusal';
import { INTEGRATIONS, type IntegrationsRoom } from './integrations-room.js';
import { startIntegrationsWorld, type IntegrationsWorld, type Who } from './integrations-world.fixture.js';

let world: IntegrationsWorld;
beforeAll(async () => {
  world = await startIntegrationsWorld({ replicas: 2 });
}, 60_000);
afterAll(() => world?.stop(), 20_000);
afterEach(() => void Object.keys(world.provider.misbehave).forEach((key) => delete world.provider.misbehave[key as 'tokenStatus']));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (good: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + 8_000; !(await good()) && Date.now() < end;) await pause(20);
};

/** Connected, with an access token that has ended; what is given from now on lives an hour. */
async function expired(): Promise<Who> {
  const who = await world.newAccount();
  world.provider.misbehave.accessTokenSeconds = 1;
  await world.connect(who);
  delete world.provider.misbehave.accessTokenSeconds;
  await pause(1_100);
  return who;
}
const many = (who: Who, count: number) => Promise.allSettled(Array.from({ length: count }, () => world.lease(who)));
const tokensIn = (leases: PromiseSettledResult<calls.LeasedCredential>[]) =>
  leases.map((lease) => (lease.status === 'fulfilled' ? lease.value.accessToken! : Promise.reject(lease.reason)));
const statusOf = async (who: Who) => (await world.list(who)).gmail!;
const epochOf = async ({ account }: Who) => (await world.gateway.call(getAccount, { account })).policyEpoch;

describe('fifty leases of an ended token at two replicas', () => {
  it('make one refresh at the provider, and each has a token that works', async () => {
    const who = await expired();
    const before = world.provider.refreshes();
    world.provider.misbehave.tokenDelayMs = 300; // all fifty are there before the first answer is
    const tokens = await Promise.all(tokensIn(await many(who, 50)));
    expect(world.provider.refreshes() - before).toBe(1);
    expect(new Set(tokens).size).toBe(1);
    expect(await world.provider.accepts(tokens[0]!)).toBe(true);
    expect(world.provider.tokenRequests.filter(({ form, status }) => form.grant_type === 'refresh_token' && status !== 200)).toEqual([]);
  }, 20_000);

  it('with `invalid_grant` make it expired once: one event, one audit entry, one epoch, and each is told to reconnect', async () => {
    const who = await expired();
    const [epoch, refusedBefore] = [await epochOf(who), world.provider.tokenRequests.length];
    world.provider.misbehave.tokenError = 'invalid_grant';
    world.provider.misbehave.tokenDelayMs = 100;
    const leases = await many(who, 50);
    for (const lease of leases) {
      expect(lease).toMatchObject({ status: 'rejected', reason: { kind: 'refusal', slug: 'integration-expired' } });
      expect((lease as PromiseRejectedResult).reason.message).toContain('POST /api/v1/integrations/gmail/connection');
    }
    expect(world.provider.tokenRequests.length - refusedBefore).toBeLessThanOrEqual(2); // one a replica at the most
    expect(await statusOf(who)).toMatchObject({ status: 'expired', why: expect.stringContaining('Connect it again') });
    expect(await epochOf(who)).toBe(epoch + 1);
    expect((await world.gateway.call(getAccount, { account: who.account })).integrations).toEqual([]);
    expect((await world.changes(who.account)).filter((change) => change.startsWith('expire'))).toEqual(['expire-integration gmail']);
    await until(() => world.told(who.account).includes('integration-expired gmail'));
    await pause(200);
    expect(world.told(who.account).filter((event) => event === 'integration-expired gmail')).toHaveLength(1);

    world.provider.misbehave.tokenError = undefined;
    await expect(world.lease(who)).rejects.toMatchObject({ slug: 'integration-expired' }); // nobody asks the provider in vain
    await world.connect(who);
    expect(await statusOf(who)).toMatchObject({ status: 'connected', why: null });
    expect(await world.provider.accepts((await world.lease(who)).accessToken!)).toBe(true);
  }, 20_000);

  it('while the provider is away are unavailable, and the next one after that works', async () => {
    const who = await expired();
    world.provider.misbehave.tokenStatus = 503;
    for (const lease of await many(who, 20)) {
      expect(lease).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable', slug: 'provider-away', retryAfterMs: 2_000 } });
    }
    expect(await statusOf(who)).toMatchObject({ status: 'connected' });
    world.provider.misbehave.tokenStatus = undefined;
    expect(await world.provider.accepts((await world.lease(who)).accessToken!)).toBe(true);
  }, 20_000);

  it("are not lost to a client secret that the provider refuses: no connection expires for the operator's mistake", async () => {
    const who = await expired();
    world.provider.misbehave.tokenError = 'invalid_client';
    await expect(world.lease(who)).rejects.toMatchObject({ kind: 'unavailable', slug: 'provider-refuses' });
    expect(await statusOf(who)).toMatchObject({ status: 'connected' });
  }, 20_000);
});

describe('the loser of a race', () => {
  /** As a replica that was stopped in the middle of its refresh would leave it. */
  const stealClaim = ({ account }: Who) =>
    world.admin.query(`UPDATE credentials SET claimed_until = now() - interval '1 second' WHERE account = $1`, [account]);

  it("that hears `invalid_grant` after the winner has written takes the winner's token and wipes nothing", async () => {
    const who = await expired();
    const third = await world.boot();
    world.provider.misbehave.tokenDelayMs = 2_000;
    const before = world.provider.tokenRequests.length;
    const winner = world.lease(who);
    await until(
      async () =>
        (await world.admin.query('SELECT 1 FROM credentials WHERE account = $1 AND claimed_until > now()', [who.account])).length === 1,
    );
    // The winner's claim has ended, so that another replica asks too, with the token that the winner uses up.
    await stealClaim(who);
    const leases = await many(who, 20);
    const tokens = await Promise.all(tokensIn([...leases, { status: 'fulfilled', value: await winner }]));
    await third.stop();
    const answers = world.provider.tokenRequests.slice(before).map(({ status }) => status);
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers).toContain(400); // there was a loser
    expect(await statusOf(who)).toMatchObject({ status: 'connected' });
    const [last] = await Promise.all(tokensIn(await many(who, 1)));
    expect(tokens.every((token) => token === last)).toBe(true);
    expect((await world.changes(who.account)).filter((change) => change.startsWith('expire'))).toEqual([]);
  }, 20_000);

  it('does not write over a connection that was made anew while it asked', async () => {
    const who = await expired();
    world.provider.misbehave.tokenDelayMs = 500;
    const late = world.lease(who);
    await pause(150);
    world.provider.misbehave.tokenDelayMs = undefined;
    await world.connect(who);
    const fresh = await world.lease(who);
    expect((await late).lease).toBe(fresh.lease);
    expect((await world.lease(who)).lease).toBe(fresh.lease);
    expect(await world.provider.accepts(fresh.accessToken!)).toBe(true);
  }, 20_000);

  it('does not bring back what was disconnected while it asked', async () => {
    const who = await expired();
    world.provider.misbehave.tokenDelayMs = 500;
    const late = world.lease(who).catch((error: HouseError) => error);
    await pause(150);
    await world.gateway.call(calls.disconnectIntegration, { authority: await world.ticket(who), integration: 'gmail' });
    expect(await late).toMatchObject({ slug: 'integration-not-connected' });
    expect(await world.admin.query('SELECT 1 FROM credentials WHERE account = $1', [who.account])).toEqual([]);
  }, 20_000);

  it("that was given a token too, by a provider that is generous, does not put it over the winner's", async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const room = world.running()[0]!.app.get<IntegrationsRoom>(INTEGRATIONS, { strict: false });
    const read = (await room.sealed!.credentials.standing(who.account, 'gmail', who.user))!.credential!;
    const write = (accessToken: string) => room.integrations.renewed(read, { tokens: { accessToken } }, { service: 'accounts', roles: [] });
    expect([await write('of-the-winner'), await write('of-the-loser')]).toEqual([true, false]);
    expect((await world.lease(who)).accessToken).toBe('of-the-winner');
  });

  it('that calls it expired before the winner has written is put right by the winner', async () => {
    const who = await expired();
    world.provider.misbehave.tokenDelayMs = 600;
    const winner = world.lease(who);
    await pause(200);
    await world.admin.query(`UPDATE integrations SET status = 'expired', why = 'too early' WHERE account = $1`, [who.account]);
    const { accessToken } = await winner;
    expect(await world.provider.accepts(accessToken!)).toBe(true);
    expect(await statusOf(who)).toMatchObject({ status: 'connected', why: null });
  }, 20_000);
});

describe('a credential', () => {
  it('is leased without asking the provider while it lives', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const asked = world.provider.tokenRequests.length;
    const [one, two] = [await world.lease(who), await world.lease(who)];
    expect(one).toEqual(two);
    expect(one).toMatchObject({ kind: 'oauth2', scopes: expect.arrayContaining(['openid']), expiresAt: expect.any(Number) });
    expect(world.provider.tokenRequests).toHaveLength(asked);
  });

  it('that the provider has just refused is renewed before its time, once for many who say so', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const { lease: rejected, accessToken: old } = await world.lease(who);
    const before = world.provider.refreshes();
    const grant = await world.grant(who);
    const again = await Promise.all(
      Array.from({ length: 10 }, () => world.mail.call(calls.leaseCredential, { grant, integration: 'gmail', rejected })),
    );
    expect(world.provider.refreshes() - before).toBe(1);
    expect(new Set(again.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(again[0]!.accessToken).not.toBe(old);
  });

  it('of a person that the provider has refused is revoked once, and connecting again mends it', async () => {
    const who = await world.newAccount();
    const put = async (apiKey: string) =>
      world.gateway.call(calls.connectWithSecret, { authority: await world.ticket(who), integration: 'cloze', fields: { apiKey } });
    await put('bad');
    const { lease: rejected } = await world.lease(who, 'cloze');
    const grant = await world.grant(who);
    const refused = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.mail.call(calls.leaseCredential, { grant, integration: 'cloze', rejected })),
    );
    for (const each of refused) expect(each).toMatchObject({ reason: { slug: 'integration-expired' } });
    expect((await world.list(who)).cloze).toMatchObject({ status: 'revoked', why: expect.stringContaining('Connect it again') });
    expect((await world.changes(who.account)).filter((change) => change.startsWith('expire'))).toHaveLength(1);
    await put('good');
    expect((await world.mail.call(calls.leaseCredential, { grant, integration: 'cloze', rejected })).fields).toEqual({ apiKey: 'good' });
  });
});

describe('a lease is refused', () => {
  it('to another executor, whether it shows a stolen grant or one of its own', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const ask = (grant: string) => world.other.call(calls.leaseCredential, { grant, integration: 'gmail' });
    await expect(ask(await world.grant(who))).rejects.toMatchObject({ kind: 'refusal', slug: 'grant-audience' });
    const own = await world.grant(who, { aud: 'other', integrations: ['slack'] });
    await expect(ask(own)).rejects.toMatchObject({ kind: 'refusal', slug: 'integration-not-granted' });
    const bare = await world.grant(who, { aud: 'other', integrations: undefined });
    await expect(ask(bare)).rejects.toMatchObject({ kind: 'refusal', slug: 'integration-not-granted' });
  });

  it('on the subject of another executor: the broker does not let it pass', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const stolen = Object.assign(Object.create(Object.getPrototypeOf(world.other)), world.other, { service: 'mail' }) as typeof world.other;
    const asked = stolen.call(calls.leaseCredential, { grant: await world.grant(who), integration: 'gmail' }, { deadlineMs: 1_000 });
    await expect(asked).rejects.toMatchObject({ kind: expect.not.stringMatching('refusal') });
  });

  it.each([
    ['expired', { exp: Math.floor(Date.now() / 1_000) - 5 }, 'grant-expired'],
    ['of another issuer', { typ: 'ticket' }, 'grant-invalid'],
  ])('for a grant that is %s', async (_what, change, slug) => {
    const who = await world.newAccount();
    const asked = world.mail.call(calls.leaseCredential, { grant: await world.grant(who, change), integration: 'gmail' });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug });
  });

  it('for what was never connected, and for what an operator only marked as connected', async () => {
    const who = await world.newAccount();
    await expect(world.lease(who)).rejects.toMatchObject({
      slug: 'integration-not-connected',
      message: expect.stringContaining('is not connected'),
    });
    await world.gateway.call(setIntegration, {
      authority: await world.ticket(who, ['operator']),
      account: who.account,
      integration: 'gmail',
      connected: true,
    });
    expect(await statusOf(who)).toMatchObject({ status: 'connected', credential: false });
    const message = expect.stringContaining('marked as connected, but no credential');
    await expect(world.lease(who)).rejects.toMatchObject({ slug: 'integration-not-connected', message });
  });

  it('for an account that has lost its tools, a user who was revoked, and an account that is not there', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    await world.gateway.call(setTier, { authority: await world.ticket(who, ['operator']), account: who.account, tier: 'free' });
    await expect(world.lease(who)).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    const other = await world.newAccount();
    await world.connect(other);
    await world.admin.query('UPDATE users SET revoked_at = now() WHERE id = $1', [other.user]);
    await expect(world.lease(other)).rejects.toMatchObject({ slug: 'user-revoked' });
    await expect(world.lease({ account: randomUUID(), user: randomUUID() })).rejects.toMatchObject({ slug: 'user-revoked' });
  });
});

describe('secrets of credentials', () => {
  it('stand in no log line and no span, whatever went wrong before', async () => {
    const secrets = world.provider.tokenRequests.flatMap(({ form, answer }) => [
      ...[answer.access_token, answer.refresh_token, answer.id_token],
      ...[form.code, form.code_verifier, form.refresh_token],
    ]) as (string | undefined)[];
    const planted = [...new Set([world.provider.clientSecret, ...world.keys.map(({ key }) => key), ...secrets])].filter(
      (each): each is string => Boolean(each),
    );
    expect(planted.length).toBeGreaterThan(60);
    await pause(300); // exporters deliver in batches
    await Promise.all(world.running().map((service) => service.telemetry.flush()));
    const [log, spans] = [world.lines.join(''), JSON.stringify(world.otlp.spans())];
    expect(log).toContain('was leased');
    expect(spans).toContain('lease-credential');
    expect(planted.filter((secret) => log.includes(secret))).toEqual([]);
    expect(planted.filter((secret) => spans.includes(secret))).toEqual([]);
  });
});
