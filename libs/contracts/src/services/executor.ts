import { beginArtifact, finishArtifact, readPiece, statArtifact, writePiece } from '../calls/artifacts.js';
import { leaseCredential } from '../calls/integrations.js';
import { registryPublicKeys } from '../calls/registry.js';
import { policyRaised } from '../events/accounts.js';
import type { ServiceEdges } from '../service-edges.js';
import { callLedgerBucket } from '../call-ledger-bucket.js';
import { announceSubject, settleSubject } from '../tool-call.js';

/** What every executor may do, by its name alone: hear its tools and what makes grants outdated, announce itself, move its artifacts, keep its calls. */
export const executorEdges = (executor: string): ServiceEdges => ({
  service: executor,
  serves: [],
  calls: [registryPublicKeys, leaseCredential, beginArtifact, writePiece, finishArtifact, statArtifact, readPiece],
  emits: [],
  hears: [],
  watches: [policyRaised],
  publishes: [announceSubject(executor), `progress.v1.${executor}.*`],
  subscribes: [`tool.v1.${executor}.*`, settleSubject(executor)],
  keyValues: [callLedgerBucket(executor)],
  executor: true,
});
