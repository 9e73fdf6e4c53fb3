import * as accounts from '../calls/accounts.js';
import * as artifacts from '../calls/artifacts.js';
import { explainSkills, listAudit as listCatalogAudit, listSkills } from '../calls/catalog.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import * as integrations from '../calls/integrations.js';
import * as orchestrator from '../calls/orchestrator.js';
import { approveManifest, listAudit as listRegistryAudit, listManifests, listProfiles } from '../calls/registry.js';
import { edgesOf } from '../service-edges.js';
import { turnStream } from '../streams.js';

export const gatewayEdges = edgesOf({
  service: 'gateway',
  serves: [gatewayPublicKeys],
  calls: [
    accounts.authenticate,
    accounts.authenticateToken,
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
    accounts.listAudit,
    accounts.createAccount,
    accounts.getAccount,
    accounts.setTier,
    accounts.setIntegration,
    accounts.setSkillState,
    accounts.setSkillLock,
    accounts.createApiKey,
    accounts.revokeApiKey,
    integrations.listIntegrations,
    integrations.beginConnection,
    integrations.finishConnection,
    integrations.connectWithSecret,
    integrations.disconnectIntegration,
    integrations.rotateCredentials,
    artifacts.beginArtifact,
    artifacts.writePiece,
    artifacts.finishArtifact,
    artifacts.statArtifact,
    artifacts.readPiece,
    artifacts.listArtifacts,
    explainSkills,
    listSkills,
    listCatalogAudit,
    orchestrator.startTurn,
    orchestrator.getTurn,
    orchestrator.getRoute,
    orchestrator.cancelTurn,
    orchestrator.getUsage,
    orchestrator.listModels,
    approveManifest,
    listManifests,
    listProfiles,
    listRegistryAudit,
  ],
  emits: [],
  hears: [],
  publishes: ['readers.v1.*'],
  subscribes: ['turn.v1.*', 'readers.v1.*'],
  reads: [turnStream],
});
