import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createApiKey } from '@skillgate/contracts/calls/api-keys';
import type { Wire } from '@skillgate/wire/wire';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';

let house: AccountsHouse;
let gateway: Wire;
let operator: string;

beforeAll(async () => {
  house = await openAccountsHouse();
  ({ gateway, operator } = house);
}, 60_000);

afterAll(() => house?.close());

const account = (tier?: string) => house.account(tier);
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const auditOf = (of: { id: string; admin: string }) => house.auditOf(of);

describe('the audit log', () => {
  it('names who, what, before and after, and the key or the subject that was shown', async () => {
    const acme = await account();
    const key: string = randomUUID();
    const authority = await house.ticket({ account: acme.id, user: acme.user, roles: ['admin'], key });
    await gateway.call(calls.setSkillLock, { authority, account: acme.id, skill: 'briefing-memo', by: 'admin', state: 'never' });
    await gateway.call(calls.setSkillLock, { authority, account: acme.id, skill: 'briefing-memo', by: 'admin', state: 'never' });
    const entries = (await auditOf(acme)).filter(({ action }) => action === 'set-admin-lock');
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ service: 'accounts', account: acme.id, target: 'briefing-memo', before: null, after: 'never' },
        actor: { account: acme.id, user: acme.user, key, roles: ['admin'] },
      }),
    ]);
  });

  it('is read page by page, newest first, each entry once', async () => {
    const acme = await account();
    for (let n = 0; n < 5; n += 1) {
      await gateway.call(calls.setSkillState, { authority: acme.admin, account: acme.id, skill: `skill-${n}`, state: 'never' });
    }
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const wanted = { account: acme.id, limit: 2, before, action: 'set-skill-state' };
      const page = await gateway.call(calls.listAudit, { authority: acme.admin, ...wanted });
      seen.push(...page.entries.map(({ target }) => target));
      before = page.entries.at(-1)?.cursor;
      if (!before) break;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((n) => `skill-${n}`));
  });

  it('has no entry for a change that was rolled back, and none of it holds a secret', async () => {
    const acme = await account();
    const before = (await auditOf(acme)).length;
    const failing = gateway.call(calls.setTier, { authority: operator, account: acme.id, tier: 'nowhere' });
    await expect(failing).rejects.toEqual(refused('unknown-tier'));
    expect(await auditOf(acme)).toHaveLength(before);
    const { secret } = await gateway.call(createApiKey, { authority: acme.admin, account: acme.id, name: 'k' });
    const text = JSON.stringify(await house.admin.query('SELECT to_jsonb(l) FROM audit_log l'));
    expect(text).toContain(secret.slice(0, 12));
    expect(text).not.toContain(secret.slice(0, 16));
  });
});
