import * as accounts from '../calls/accounts.js';
import * as apiKeys from '../calls/api-keys.js';
import * as personas from '../calls/personas.js';
import * as users from '../calls/users.js';
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
    apiKeys.createApiKey,
    apiKeys.revokeApiKey,
    accounts.listAccounts,
    accounts.listTiers,
    accounts.putTier,
    accounts.deleteTier,
    accounts.setCapabilities,
    accounts.setLimits,
    users.createUser,
    users.listUsers,
    users.updateUser,
    users.revokeUser,
    apiKeys.listApiKeys,
    accounts.setSkillStates,
    accounts.setSkillLocks,
    personas.createPersona,
    personas.updatePersona,
    personas.retirePersona,
    personas.listPersonas,
    personas.getPersona,
    accounts.listAudit,
  ],
  calls: [gatewayPublicKeys, registryPublicKeys],
  emits: [entitlementsChanged, policyRaised, integrationConnected, integrationDisconnected, integrationExpired],
  hears: [],
});
