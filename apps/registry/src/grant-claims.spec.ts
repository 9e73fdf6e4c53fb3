import { describe, expect, it } from '@jest/globals';
import { grantClaims as grantSchema } from '@skillgate/contracts/tokens';
import { grantClaims, isTurnTicket } from './grant-claims.js';
import { approvedTool, ids, receiptFor, turnTicket } from './spec-support/facts.js';

const receipt = receiptFor({ profiles: ['docs'] });
const policy = 'allow' as const;
const openings = [
  { tool: approvedTool(), receipt, policy },
  { tool: approvedTool({ tool: 'docs_write_text' }), receipt, policy },
  {
    tool: approvedTool({ executor: 'slack', tool: 'slack_send_message', profile: 'slack' }),
    receipt: receiptFor({}, { skill: 'slack-post' }),
    policy,
  },
];
const times = { now: 1_500, life: 60 };
const mint = (change = {}) => grantClaims(openings, turnTicket(change), 7, times, () => 'id');

describe('grants', () => {
  it('are one for each executor with its own tools and no other', () => {
    expect(mint().map((grant) => [grant.aud, Object.keys(grant.tools)])).toEqual([
      ['docs', ['docs_read_text', 'docs_write_text']],
      ['slack', ['slack_send_message']],
    ]);
  });

  it('hold nothing that its user has to confirm', () => {
    const asking = openings.map((opening) => (opening.tool.tool === 'docs_read_text' ? opening : { ...opening, policy: 'confirm' as const }));
    expect(grantClaims(asking, turnTicket(), 7, times, () => 'id').map((grant) => [grant.aud, Object.keys(grant.tools)])).toEqual([['docs', ['docs_read_text']]]);
  });

  it('name the skill, its version and its digest for every tool', () => {
    expect(mint()[1]!.tools).toEqual({ slack_send_message: `slack-post@1.0.0#${'d'.repeat(64)}` });
  });

  it('carry the turn of the ticket and the epoch of the decision', () => {
    expect(mint()[0]).toMatchObject({ account: ids.account, user: ids.user, chat: ids.chat, turn: ids.turn, policyEpoch: 7 });
    expect(() => grantSchema.parse(mint()[0])).not.toThrow();
  });

  it('live as long as they shall', () => {
    expect(mint()[0]).toMatchObject({ iat: 1_500, exp: 1_560 });
    expect(grantClaims(openings, turnTicket(), 7, { now: 1_500, life: 2 }, () => 'id')[0]).toMatchObject({ exp: 1_502 });
  });

  it('name the outside systems of their own tools, once, and none of another executor', () => {
    const integrationsOf = ({ profile, tool }: { profile: string; tool: string }) =>
      profile === 'slack' ? ['slack'] : tool === 'docs_write_text' ? ['drive'] : ['drive', 'gmail'];
    const grants = grantClaims(openings, turnTicket(), 7, times, () => 'id', integrationsOf);
    expect(grants.map((grant) => [grant.aud, grant.integrations])).toEqual([
      ['docs', ['drive', 'gmail']],
      ['slack', ['slack']],
    ]);
    expect(mint()[0]!.integrations).toBeUndefined();
  });

  it('never outlive their ticket', () => {
    expect(mint({ exp: 1_510 })[0]!.exp).toBe(1_510);
  });
});

describe('a ticket', () => {
  it('without a turn opens no tools', () => {
    expect(isTurnTicket(turnTicket())).toBe(true);
    expect(isTurnTicket(turnTicket({ turn: undefined }))).toBe(false);
    expect(isTurnTicket(turnTicket({ chat: undefined }))).toBe(false);
  });
});
