import { describe, expect, it } from '@jest/globals';
import { recheckReceipt } from './recheck-receipt.js';
import { entitled, receiptFor } from './registry.fixtures.js';

describe('a receipt on the facts of the moment', () => {
  it('still opens while nothing changed, whatever the account said before the chat did', () => {
    const account = entitled({ skills: { 'briefing-memo': 'never' } });
    expect(recheckReceipt(receiptFor({ profiles: ['docs'] }), account)).toBeUndefined();
  });

  it.each([
    ['the operator locked its skill away', receiptFor({}), { locks: { operator: { 'briefing-memo': 'never' as const }, admin: {} } }, 'skill-never'],
    ['the admin locked its skill away', receiptFor({}), { locks: { operator: {}, admin: { 'briefing-memo': 'never' as const } } }, 'skill-never'],
    ['the tier lost a capability that the skill needs', receiptFor({ capabilities: ['sandbox'] }), {}, 'capability-missing'],
    ['an integration that the skill needs was disconnected', receiptFor({ integrations: ['gmail|outlook'] }), {}, 'integration-missing'],
  ])('opens nothing once %s', (_, receipt, change, slug) => {
    expect(recheckReceipt(receipt, entitled(change))).toMatchObject({ slug });
  });

  it('is content with either integration where the skill takes either', () => {
    expect(recheckReceipt(receiptFor({ integrations: ['gmail|outlook'] }), entitled({ integrations: ['outlook'] }))).toBeUndefined();
  });
});
