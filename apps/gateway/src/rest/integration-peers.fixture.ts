import * as integrations from '@skillgate/contracts/calls/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { people } from '../gateway-house.fixture.js';
import type { noteTo } from './rest-peers.fixture.js';

const slack: integrations.IntegrationView = {
  ...{ integration: 'slack', title: 'Slack <Team>', kind: 'oauth2', status: 'connected', connectable: true, fields: [] },
  ...{ credential: true, by: null, at: null, scopes: [], label: 'ann@example.com', why: null },
};

/** State that ends a connection; every other is unknown. */
export const goodState = 'a-state-that-was-begun';

/** What accounts serves of outside systems. */
export function serveIntegrations(wire: Wire, noted: ReturnType<typeof noteTo>) {
  const known = (name: string) => {
    if (name !== slack.integration) throw refuse('unknown-integration', `There is no "${name.slice(0, 20)}".`);
  };
  return [
    wire.serve(integrations.listIntegrations, noted('integrations', () => ({ integrations: [slack] }))),
    wire.serve(
      integrations.beginConnection,
      noted('begin', ({ integration, redirectUri }) => {
        known(integration);
        const url = `https://slack.example/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`;
        return { url, state: goodState, expiresAt: '2026-11-30T12:10:00.000Z' };
      }),
    ),
    wire.serve(integrations.finishConnection, async ({ state, error }) => {
      if (state !== goodState) throw refuse('connection-unknown', 'This connection is <unknown> or too old. Begin it again.');
      if (error) throw refuse('connection-denied', 'You said no.');
      return { ...slack, account: people['admin']!.account };
    }),
    wire.serve(integrations.connectWithSecret, noted('secret', ({ integration }) => (known(integration), slack))),
    wire.serve(
      integrations.disconnectIntegration,
      noted('disconnect', ({ integration }) => (known(integration), { ...slack, status: 'disconnected' as const, revoked: true })),
    ),
    wire.serve(integrations.rotateCredentials, noted('rotate', () => ({ key: 'k2', rotated: 3, failed: [], left: 0 }))),
  ];
}
