import * as accounts from '../calls/accounts.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import { entitlementsChanged, integrationConnected, integrationDisconnected, policyRaised } from '../events/accounts.js';
import { edgesOf } from '../service-edges.js';

export const accountsEdges = edgesOf({
  service: 'accounts',
  serves: [
    accounts.authenticate,
    accounts.getEntitlements,
    accounts.createAccount,
    accounts.getAccount,
    accounts.setTier,
    accounts.setIntegration,
    accounts.setSkillState,
    accounts.setSkillLock,
    accounts.createApiKey,
    accounts.revokeApiKey,
  ],
  calls: [gatewayPublicKeys],
  emits: [entitlementsChanged, policyRaised, integrationConnected, integrationDisconnected],
  hears: [],
});
