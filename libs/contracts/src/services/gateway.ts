import * as accounts from '../calls/accounts.js';
import * as artifacts from '../calls/artifacts.js';
import { explainSkills, listSkills } from '../calls/catalog.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import * as orchestrator from '../calls/orchestrator.js';
import { approveManifest, listManifests, listProfiles } from '../calls/registry.js';
import { edgesOf } from '../service-edges.js';
import { turnStream } from '../streams.js';

export const gatewayEdges = edgesOf({
  service: 'gateway',
  serves: [gatewayPublicKeys],
  calls: [
    accounts.authenticate,
    accounts.createAccount,
    accounts.getAccount,
    accounts.setTier,
    accounts.setIntegration,
    accounts.setSkillState,
    accounts.setSkillLock,
    accounts.createApiKey,
    accounts.revokeApiKey,
    artifacts.beginArtifact,
    artifacts.writePiece,
    artifacts.finishArtifact,
    artifacts.statArtifact,
    artifacts.readPiece,
    artifacts.listArtifacts,
    explainSkills,
    listSkills,
    orchestrator.startTurn,
    orchestrator.getTurn,
    orchestrator.getRoute,
    orchestrator.cancelTurn,
    orchestrator.listModels,
    approveManifest,
    listManifests,
    listProfiles,
  ],
  emits: [],
  hears: [],
  publishes: ['readers.v1.*'],
  subscribes: ['turn.v1.*', 'readers.v1.*'],
  reads: [turnStream],
});
