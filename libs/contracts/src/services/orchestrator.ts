import { beginArtifact, finishArtifact, readPiece, statArtifact, writePiece } from '../calls/artifacts.js';
import { getPersona } from '../calls/personas.js';
import { loadSkill, measureMonolith, prepareTurn, previewEntries, searchSkills } from '../calls/catalog.js';
import * as chats from '../calls/chats.js';
import { gatewayPublicKeys } from '../calls/gateway.js';
import * as orchestrator from '../calls/orchestrator.js';
import { listProfiles, resolveTools } from '../calls/registry.js';
import { readSkillFile } from '../calls/skill-versions.js';
import { policyRaised } from '../events/accounts.js';
import { skillPublished, skillRetired } from '../events/catalog.js';
import { chatDeleted, turnEnded, turnStarted, turnStepFinished } from '../events/orchestrator.js';
import { executorLeft } from '../events/registry.js';
import { edgesOf } from '../service-edges.js';
import { turnStream } from '../streams.js';
import { handoverSubject } from '../turn-stream.js';

export const orchestratorEdges = edgesOf({
  service: 'orchestrator',
  serves: [
    ...[orchestrator.startTurn, orchestrator.findChat, orchestrator.getTurn, orchestrator.getRoute, orchestrator.cancelTurn],
    ...[orchestrator.getUsage, orchestrator.listModels, orchestrator.getChat, orchestrator.previewCatalog, orchestrator.callTool],
    ...[chats.listChats, chats.searchChats, chats.renameChat, chats.deleteChat, chats.exportChat],
    ...[orchestrator.listApprovals, orchestrator.getApproval, orchestrator.decideApproval, orchestrator.listAudit],
  ],
  calls: [
    ...[prepareTurn, loadSkill, searchSkills, readSkillFile, measureMonolith, previewEntries, resolveTools, listProfiles, getPersona],
    ...[statArtifact, beginArtifact, writePiece, finishArtifact, readPiece, gatewayPublicKeys],
  ],
  emits: [turnStarted, turnEnded, turnStepFinished, chatDeleted],
  hears: [],
  watches: [policyRaised, skillPublished, skillRetired, executorLeft],
  streams: [turnStream],
  publishes: ['tool.v1.>', 'settle.v1.*', 'turn.v1.*', 'cancel.v1.*', handoverSubject],
  subscribes: ['progress.v1.*.*', handoverSubject],
  makesKeyValues: true,
});
