import * as artifacts from '../calls/artifacts.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import { registryPublicKeys } from '../calls/registry.js';
import { chatDeleted } from '../events/orchestrator.js';
import { edgesOf } from '../service-edges.js';

export const artifactsEdges = edgesOf({
  service: 'artifacts',
  serves: [
    artifacts.beginArtifact,
    artifacts.writePiece,
    artifacts.finishArtifact,
    artifacts.statArtifact,
    artifacts.readPiece,
    artifacts.listArtifacts,
  ],
  calls: [gatewayPublicKeys, registryPublicKeys],
  emits: [],
  hears: [chatDeleted],
  buckets: ['artifacts'],
});
