import { getEntitlements } from '../calls/accounts.js';
import { catalogPublicKeys } from '../calls/catalog.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import * as registry from '../calls/registry.js';
import { entitlementsChanged } from '../events/accounts.js';
import { executorJoined, executorLeft, manifestApproved } from '../events/registry.js';
import { edgesOf } from '../service-edges.js';

export const registryEdges = edgesOf({
  service: 'registry',
  serves: [
    ...[registry.resolveTools, registry.previewTools, registry.mintCallGrant, registry.grantTool, registry.registryPublicKeys],
    ...[registry.listManifests, registry.approveManifest, registry.withdrawApproval, registry.listProfiles, registry.listTools],
    ...[registry.setProfilePolicy, registry.tightenProfilePolicy, registry.listAudit],
  ],
  calls: [getEntitlements, gatewayPublicKeys, catalogPublicKeys],
  emits: [executorJoined, executorLeft, manifestApproved],
  hears: [entitlementsChanged],
  watches: [entitlementsChanged],
  subscribes: ['announce.v1.*'],
});
