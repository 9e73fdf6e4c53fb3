import { describe, expect, it } from '@jest/globals';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { permit } from './permit.js';

const claims: TicketClaims = {
  ...{ iss: 'gateway', typ: 'ticket', account: 'mine', user: 'me', key: 'the-key', roles: ['admin'], overrides: {}, policyEpoch: 1 },
  ...{ iat: 1, exp: 2, jti: 'j' },
};
const showing = (more: Partial<TicketClaims> = {}) => async () => ({ ...claims, ...more });

describe('an authority', () => {
  it('says who makes the change', async () => {
    const actor = await permit(showing(), 'a.b.c', 'create-user', { account: 'mine' });
    expect(actor).toEqual({ account: 'mine', user: 'me', key: 'the-key', roles: ['admin'] });
  });

  it.each<[string, string | undefined, Partial<TicketClaims>, string]>([
    ['is needed', undefined, {}, 'authority-missing'],
    ['that is empty is none', '', {}, 'authority-missing'],
    ['is no ticket of a turn, whatever roles it has', 'a.b.c', { turn: 'a-turn', chat: 'a-chat' }, 'authority-missing'],
    ['without roles may nothing', 'a.b.c', { roles: undefined }, 'not-allowed'],
    ['of a user may not administer', 'a.b.c', { roles: ['user'] }, 'not-allowed'],
    ['of another account may nothing here', 'a.b.c', { account: 'theirs' }, 'not-allowed'],
  ])('%s', async (_sentence, authority, more, slug) => {
    await expect(permit(showing(more), authority, 'create-user', { account: 'mine' })).rejects.toMatchObject({ kind: 'refusal', slug });
  });

  it('that is no ticket of the gateway comes to nothing', async () => {
    const verify = () => Promise.reject(new Error('bad signature'));
    await expect(permit(verify, 'a.b.c', 'create-user')).rejects.toThrow('bad signature');
  });
});
