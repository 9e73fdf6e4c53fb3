import { getEntitlements } from '../calls/accounts.js';
import * as catalog from '../calls/catalog.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import { edgesOf } from '../service-edges.js';

export const catalogEdges = edgesOf({
  service: 'catalog',
  serves: [
    catalog.prepareTurn,
    catalog.loadSkill,
    catalog.explainSkills,
    catalog.listSkills,
    catalog.measureMonolith,
    catalog.catalogPublicKeys,
  ],
  calls: [getEntitlements, gatewayPublicKeys],
  emits: [],
  hears: [],
});
