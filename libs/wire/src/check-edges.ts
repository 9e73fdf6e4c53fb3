import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { policyRaised } from '@skillgate/contracts/events/accounts';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { settleSubject } from '@skillgate/contracts/tool-call';
import { executorName } from '@skillgate/contracts/words';

/** Refuses edges that would open more than their service may have. @throws an error that names the service and the edge */
export function checkEdges(edges: ServiceEdges): void {
  const { service, serves, calls, emits, hears, publishes = [], subscribes = [], buckets = [], keyValues = [] } = edges;
  const { watches = [], streams = [], reads = [], mends = [] } = edges;
  const wrong = (what: string): never => {
    throw new Error(`The edges of "${service}" are wrong: ${what}`);
  };
  if (!executorName.safeParse(service).success) wrong('the name must be a-z, 0-9 and "-", at most 32 long: it is part of subjects');
  for (const { subject, owner } of [...serves, ...emits]) if (owner !== service) wrong(`"${subject}" belongs to "${owner}"; only its owner serves or emits it`);
  for (const subject of [...publishes, ...subscribes]) if (/^[*>_$]/.test(subject)) wrong(`"${subject}" reaches inboxes or the system; name a kind of subject`);
  for (const { name, owner } of streams) if (owner !== service) wrong(`stream "${name}" belongs to "${owner}"; only its owner creates it`);
  for (const bucket of [...buckets, ...keyValues.map(({ name }) => name)]) if (!/^[\w-]+$/.test(bucket)) wrong(`bucket "${bucket}" may have letters, digits, "-" and "_" only`);
  if (!edges.executor) return;
  const shared = calls.find(({ perCaller }) => !perCaller);
  if (shared) wrong(`executors make perCaller calls only, and "${shared.subject}" is none`);
  const foreign = [
    ...publishes.filter((subject) => subject !== `announce.v1.${service}` && !subject.startsWith(`progress.v1.${service}.`)),
    ...subscribes.filter((subject) => !subject.startsWith(`tool.v1.${service}.`) && subject !== settleSubject(service)),
    ...keyValues.map(({ name }) => name).filter((name) => name !== callLedgerBucket(service).name),
    ...(edges.makesKeyValues ? ['the making of buckets'] : []),
    ...[...serves, ...emits, ...hears].map(({ subject }) => subject),
    ...watches.map(({ subject }) => subject).filter((subject) => subject !== policyRaised.subject),
    ...[...streams, ...reads, ...mends].map(({ name }) => name),
    ...buckets,
  ];
  if (foreign.length > 0) {
    wrong(`an executor hears its own tools and that a policy was raised, keeps its own calls and publishes its own announcements and progress, not ${foreign.join(', ')}`);
  }
}
