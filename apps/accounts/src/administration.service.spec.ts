import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createApiKey, listApiKeys, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import { createUser, listUsers, revokeUser, updateUser } from '@skillgate/contracts/calls/users';
import type { Call, CallInput } from '@skillgate/contracts/define-call';
import type { Role } from '@skillgate/contracts/entitlements';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';

let house: AccountsHouse;
let gateway: Wire;

beforeAll(async () => {
  house = await openAccountsHouse();
  ({ gateway } = house);
}, 60_000);

afterAll(() => house?.close());

const account = (tier?: string) => house.account(tier);
const as = (of: string, roles: Role[], user: string = randomUUID()) => house.ticket({ account: of, user, roles });
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const auditOf = (of: { id: string; admin: string }) => house.auditOf(of);

describe('every change', () => {
  const changes: [string, Call, (of: { id: string; user: string }) => object][] = [
    ['create-account', calls.createAccount, () => ({ name: 'x', tier: 'free' })],
    ['list-accounts', calls.listAccounts, () => ({})],
    ['list-tiers', calls.listTiers, () => ({})],
    ['put-tier', calls.putTier, () => ({ name: 'stolen', capabilities: ['tools'], limits: {} })],
    ['delete-tier', calls.deleteTier, () => ({ name: 'team' })],
    ['set-tier', calls.setTier, ({ id }) => ({ account: id, tier: 'team' })],
    ['set-capabilities', calls.setCapabilities, ({ id }) => ({ account: id, capabilities: ['tools'] })],
    ['set-limits', calls.setLimits, ({ id }) => ({ account: id, limits: { turnsPerDay: null } })],
    ['set-integration', calls.setIntegration, ({ id }) => ({ account: id, integration: 'slack', connected: true })],
    ['set-skill-state', calls.setSkillState, ({ id }) => ({ account: id, skill: 'a', state: 'never' })],
    ['set-skill-lock', calls.setSkillLock, ({ id }) => ({ account: id, skill: 'a', by: 'admin', state: 'never' })],
    ['create-user', createUser, ({ id }) => ({ account: id, name: 'Eve' })],
    ['list-users', listUsers, ({ id }) => ({ account: id })],
    ['update-user', updateUser, ({ id, user }) => ({ account: id, user, roles: ['user'] })],
    ['revoke-user', revokeUser, ({ id, user }) => ({ account: id, user })],
    ['create-api-key', createApiKey, ({ id }) => ({ account: id, name: 'k' })],
    ['list-api-keys', listApiKeys, ({ id }) => ({ account: id })],
    ['revoke-api-key', revokeApiKey, ({ id }) => ({ account: id, key: randomUUID() })],
    ['list-audit', calls.listAudit, ({ id }) => ({ account: id })],
  ];

  it.each(changes)('%s is refused to a user, to an admin of another account, and without a genuine ticket', async (_name, call, input) => {
    const [victim, stranger] = [await account(), await account()];
    const forged = makeSigner(await newSigningKey(), 'gateway');
    const soon = Math.floor(Date.now() / 1000) + 60;
    const claims = { account: victim.id, user: victim.user, roles: ['operator'], policyEpoch: 0, exp: soon };
    const forgedTicket = await forged.sign({ typ: 'ticket', ...claims });
    const before = await auditOf(victim);
    const ask = (authority: string) => gateway.call(call, { ...input(victim), authority } as CallInput<typeof call>);
    await expect(ask(await as(victim.id, ['user']))).rejects.toEqual(refused('not-allowed'));
    await expect(ask(stranger.admin)).rejects.toEqual(refused('not-allowed'));
    await expect(ask(forgedTicket)).rejects.toEqual(refused('ticket-invalid'));
    const ofATurn = await house.ticket({ account: victim.id, roles: ['operator'], chat: randomUUID(), turn: randomUUID() });
    await expect(ask(ofATurn)).rejects.toEqual(refused('authority-missing'));
    expect(await auditOf(victim)).toEqual(before);
  });

  // The calls that are older than authorities: to them it is optional by contract.
  const older = [calls.createAccount, calls.setTier, calls.setSkillState, createApiKey, revokeApiKey];

  it.each(older.map((call) => [call.subject, call] as const))(
    '%s is refused without an authority',
    async (subject, call) => {
      const { id } = await account();
      const input = changes.find(([name]) => subject.endsWith(`.${name}`))![2];
      await expect(gateway.call(call as Call, input({ id, user: id }) as never)).rejects.toEqual(refused('authority-missing'));
    },
  );

  it('answers an admin alike for an account that exists and one that does not', async () => {
    const [mine, theirs] = [await account(), await account()];
    const answer = (of: string) =>
      gateway.call(listUsers, { authority: mine.admin, account: of }).catch((error) => ({ ...error.toWire(), correlationId: '' }));
    expect(await answer(theirs.id)).toEqual(await answer(randomUUID()));
  });
});
