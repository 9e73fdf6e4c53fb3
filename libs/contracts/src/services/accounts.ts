import * as accounts from '../calls/accounts.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import * as integrations from '../calls/integrations.js';
import { registryPublicKeys } from '../calls/registry.js';
import { entitlementsChanged, integrationConnected, integrationDisconnected, integrationExpired, policyRaised } from '../events/accounts.js';
import { edgesOf } from '../service-edges.js';

export const accountsEdges = edgesOf({
  service: 'accounts',
  serves: [
    integrations.listIntegrations,
    integrations.beginConnection,
    integrations.finishConnection,
    integrations.connectWithSecret,
    integrations.disconnectIntegration,
    integrations.leaseCredential,
    integrations.rotateCredentials,
    accounts.authenticate,
    accounts.authenticateToken,
    accounts.getEntitlements,
    accounts.createAccount,
    accounts.getAccount,
    accounts.setTier,
    accounts.setIntegration,
    accounts.setSkillState,
    accounts.setSkillLock,
    accounts.createApiKey,
    accounts.revokeApiKey,
    accounts.listAccounts,
    accounts.listTiers,
    accounts.putTier,
    accounts.deleteTier,
    accounts.setCapabilities,
    accounts.setLimits,
    accounts.createUser,
    accounts.listUsers,
    accounts.updateUser,
    accounts.revokeUser,
    accounts.listApiKeys,
    accounts.setSkillStates,
    accounts.setSkillLocks,
    accounts.createPersona,
    accounts.updatePersona,
    accounts.retirePersona,
    accounts.listPersonas,
    accounts.getPersona,
    accounts.listAudit,
  ],
  calls: [gatewayPublicKeys, registryPublicKeys],
  emits: [entitlementsChanged, policyRaised, integrationConnected, integrationDisconnected, integrationExpired],
  hears: [],
});
