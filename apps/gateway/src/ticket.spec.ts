import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Signer } from '@skillgate/service-kit/signing';
import { mintAuthority, mintTicket } from './ticket.js';

const signer = { sign: async (claims: object) => JSON.stringify(claims) } as unknown as Signer;
const claimsOf = async (signed: Promise<string>) => JSON.parse(await signed) as Record<string, unknown>;
const now = () => Date.now() / 1000;

const person: Principal = {
  account: randomUUID(),
  accountName: 'A',
  user: randomUUID(),
  key: randomUUID(),
  roles: ['user', 'admin'],
  tier: 'pro',
  capabilities: [],
  policyEpoch: 7,
  limits: { turnsPerDay: 5, tokensPerDay: null, parallelTurns: 1 },
};

describe("a turn's ticket", () => {
  it('names who asks and what the account may use up, and carries no roles through the turn', async () => {
    const scope = { chat: randomUUID(), turn: randomUUID(), overrides: {} };
    const claims = await claimsOf(mintTicket(signer, person, scope));
    expect(claims).toMatchObject({ account: person.account, user: person.user, policyEpoch: 7, limits: person.limits, ...scope });
    expect(claims).not.toHaveProperty('roles');
    expect(claims).not.toHaveProperty('key');
  });
});

describe('an authority', () => {
  it('carries the roles and the key, and lives for a minute', async () => {
    const claims = await claimsOf(mintAuthority(signer, person));
    expect(claims).toMatchObject({ account: person.account, roles: person.roles, key: person.key });
    expect(claims.exp).toBeLessThan(now() + 65);
    expect(claims).not.toHaveProperty('turn');
  });

  it('names the subject of who signed in with a token', async () => {
    const { key: _key, ...signedIn } = { ...person, issuer: 'https://id.example', subject: 'ann' };
    expect(await claimsOf(mintAuthority(signer, signedIn))).toMatchObject({ subject: 'ann', roles: person.roles });
  });
});
