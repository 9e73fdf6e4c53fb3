import { describe, expect, it } from '@jest/globals';
import { recheckReceipt } from './recheck-receipt.js';
import { entitled, receiptFor } from './spec-support/facts.js';

const away = { 'briefing-memo': 'never' as const };

describe('a receipt on the facts of the moment', () => {
  it('still opens while nothing changed, whatever the account said before the chat did', () => {
    const account = entitled({ skills: { 'briefing-memo': 'never' } });
    expect(recheckReceipt(receiptFor({ profiles: ['docs'] }), account)).toBeUndefined();
  });

  it.each([
    ['the operator locked its skill away', receiptFor({}), { locks: { operator: away, admin: {} } }, 'skill-never'],
    ['the admin locked its skill away', receiptFor({}), { locks: { operator: {}, admin: away } }, 'skill-never'],
    ['the tier lost a capability that the skill needs', receiptFor({ capabilities: ['sandbox'] }), {}, 'capability-missing'],
    ['an integration that the skill needs was disconnected', receiptFor({ integrations: ['gmail|outlook'] }), {}, 'integration-missing'],
    ['one of two integrations that the skill needs was disconnected', receiptFor({ integrations: ['gmail', 'slack'] }), { integrations: ['gmail'] }, 'integration-missing'],
  ])('opens nothing once %s', (_, receipt, change, slug) => {
    expect(recheckReceipt(receipt, entitled(change))).toMatchObject({ slug });
  });

  it('is content with either integration where the skill takes either', () => {
    expect(recheckReceipt(receiptFor({ integrations: ['gmail|outlook'] }), entitled({ integrations: ['outlook'] }))).toBeUndefined();
  });
});
