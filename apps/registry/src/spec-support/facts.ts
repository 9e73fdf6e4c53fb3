import type { Entitlements } from '@skillgate/contracts/entitlements';
import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import type { ReceiptClaims, SkillRequirements, TicketClaims } from '@skillgate/contracts/tokens';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import type { LivingInstance } from '../announcements.js';
import type { ApprovedTool } from '../approved-tool.js';
import type { TurnTicket } from '../grant-claims.js';

/** Made-up facts for the specs of this room. */
export const ids = {
  account: '7a1c2a3e-6d5a-4f6e-9a53-0d6f6a4f7a01',
  user: '7a1c2a3e-6d5a-4f6e-9a53-0d6f6a4f7a02',
  chat: '7a1c2a3e-6d5a-4f6e-9a53-0d6f6a4f7a03',
  turn: '7a1c2a3e-6d5a-4f6e-9a53-0d6f6a4f7a04',
  ticket: 'ticket-1',
};

export function announcedTool(change: Partial<Omit<ToolManifest, 'schemaDigest'>> = {}): ToolManifest {
  const tool = {
    name: 'docs_read_text',
    profile: 'docs',
    effect: 'read' as const,
    description: 'Reads a text file.',
    inputSchema: { type: 'object', properties: { artifact: { type: 'string' } }, required: ['artifact'], additionalProperties: false },
    timeoutMs: 10_000,
    ...change,
  };
  return { ...tool, schemaDigest: manifestDigest(tool) };
}

export function approvedTool(change: Partial<ApprovedTool> = {}): ApprovedTool {
  const { tool: name, profile, effect, description, inputSchema } = change;
  const announced = announcedTool(
    Object.fromEntries(Object.entries({ name, profile, effect, description, inputSchema }).filter(([, value]) => value !== undefined)),
  );
  return {
    executor: 'docs',
    tool: announced.name,
    ownName: announced.name,
    profile: announced.profile,
    effect: announced.effect,
    description: announced.description,
    inputSchema: announced.inputSchema,
    timeoutMs: announced.timeoutMs,
    approvedBy: 'operator',
    approvedAt: new Date(0),
    ...change,
    schemaDigest: change.schemaDigest ?? announced.schemaDigest,
  };
}

/** An instance that announces exactly what was approved. */
export const instanceOf = (executor: string, approved: readonly ApprovedTool[]): LivingInstance => ({
  executor,
  instance: `${executor}-1`,
  version: '1.0.0',
  heardAt: 0,
  tools: approved.map((one) => ({ ...one, name: one.ownName })),
});

export const entitled = (change: Partial<Entitlements> = {}): Entitlements => ({
  account: ids.account,
  tier: 'pro',
  capabilities: ['tools'],
  integrations: [],
  skills: {},
  locks: { operator: {}, admin: {} },
  policyEpoch: 1,
  ...change,
});

export function receiptFor(requires: Partial<SkillRequirements>, change: Partial<ReceiptClaims> = {}): ReceiptClaims {
  return {
    iss: 'catalog',
    typ: 'receipt',
    ticket: ids.ticket,
    account: ids.account,
    chat: ids.chat,
    turn: ids.turn,
    skill: 'briefing-memo',
    version: '1.0.0',
    digest: 'd'.repeat(64),
    requires: { capabilities: [], integrations: [], profiles: [], tools: [], ...requires },
    policyEpoch: 1,
    iat: 1_000,
    exp: 2_000,
    jti: 'receipt-1',
    ...change,
  };
}

export const turnTicket = (change: Partial<TicketClaims> = {}): TurnTicket => ({
  iss: 'gateway',
  typ: 'ticket',
  account: ids.account,
  user: ids.user,
  chat: ids.chat,
  turn: ids.turn,
  overrides: {},
  policyEpoch: 1,
  iat: 1_000,
  exp: 2_000,
  jti: ids.ticket,
  ...change,
});
