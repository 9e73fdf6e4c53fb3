import { getEntitlements } from '../calls/accounts.js';
import * as catalog from '../calls/catalog.js';
import { readPiece, statArtifact } from '../calls/artifacts.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import { listProfiles, previewTools } from '../calls/registry.js';
import * as versions from '../calls/skill-versions.js';
import { entitlementsChanged } from '../events/accounts.js';
import { skillPublished, skillRetired } from '../events/catalog.js';
import { chatDeleted } from '../events/orchestrator.js';
import { manifestApproved } from '../events/registry.js';
import { edgesOf } from '../service-edges.js';

export const catalogEdges = edgesOf({
  service: 'catalog',
  serves: [
    catalog.prepareTurn,
    catalog.loadSkill,
    catalog.searchSkills,
    catalog.explainSkills,
    catalog.previewEntries,
    catalog.getChatSkills,
    catalog.setChatSkills,
    catalog.listSkills,
    catalog.measureMonolith,
    catalog.catalogPublicKeys,
    catalog.listAudit,
    versions.publishSkills,
    versions.validateSkills,
    versions.retireSkill,
    versions.makeCurrent,
    versions.listVersions,
    versions.readVersion,
    versions.readVersionFile,
    versions.setUpdatePolicy,
    versions.saveAccountSkill,
    versions.submitAccountSkill,
    versions.reviewAccountSkill,
    versions.retireAccountSkill,
    versions.listAccountSkills,
    versions.readSkillFile,
  ],
  calls: [getEntitlements, gatewayPublicKeys, listProfiles, previewTools, statArtifact, readPiece],
  emits: [skillPublished, skillRetired],
  hears: [entitlementsChanged, manifestApproved, chatDeleted],
  watches: [entitlementsChanged, manifestApproved],
});
