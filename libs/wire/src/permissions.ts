import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { cancelSubject } from '@skillgate/contracts/tool-call';
import { checkEdges } from './check-edges.js';
import { othersConsumers, streamSubjects } from './stream-permissions.js';

/** What a NATS user may do; everything else is refused by the server. */
export interface Permissions {
  readonly user: string;
  readonly publish: readonly string[];
  /** Out of what `publish` allows. */
  readonly neverPublish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may answer requests that it heard. */
  readonly replies: boolean;
}

/** Seconds in which an answer may be given: the longest tool (600 s) and a minute for its way. */
export const replySeconds = 660;

/**
 * The permissions of one service, from its edges and nothing else.
 *
 * @param others the other services' edges: what belongs to them inside a subject that has to stay open is taken out
 * @throws when the edges contradict themselves
 */
export function permissionsOf(edges: ServiceEdges, others: readonly ServiceEdges[] = []): Permissions {
  checkEdges(edges);
  const { service, serves, calls, publishes = [], subscribes = [], buckets = [], keyValues = [] } = edges;
  return {
    user: service,
    publish: unique([
      ...calls.map(({ subject, perCaller }) => (perCaller ? `${subject}.${service}` : subject)),
      ...calls.map(({ owner }) => cancelSubject(owner)),
      ...publishes,
      ...streamSubjects(edges),
      ...buckets.flatMap(bucketSubjects),
      ...keyValues.flatMap(({ name }) => [`$JS.API.STREAM.MSG.GET.KV_${name}`, `$KV.${name}.*`]),
      ...(edges.makesKeyValues ? others.flatMap(madeSubjects) : []),
    ]),
    neverPublish: unique(othersConsumers(edges, others)),
    subscribe: unique([
      `_INBOX_${service}.>`,
      cancelSubject(service),
      ...serves.map(({ subject, perCaller }) => (perCaller ? `${subject}.*` : subject)),
      ...subscribes,
    ]),
    replies: serves.length > 0 || subscribes.some((subject) => /^(tool|settle)\./.test(subject)),
  };
}

/** What the object store client of nats.js 3.4 asks of JetStream for one bucket; the last two of CONSUMER while it recovers a broken read. */
function bucketSubjects(bucket: string): string[] {
  const stream = `OBJ_${bucket}`;
  const api = (operation: string) => `$JS.API.${operation}.${stream}`;
  return [
    '$JS.API.INFO',
    api('STREAM.INFO'),
    api('STREAM.CREATE'),
    api('STREAM.PURGE'),
    api('STREAM.MSG.GET'),
    `${api('CONSUMER.CREATE')}.>`,
    `${api('CONSUMER.INFO')}.*`,
    `${api('CONSUMER.DELETE')}.*`,
    `$JS.FC.${stream}.>`,
    `$O.${bucket}.C.*`,
    `$O.${bucket}.M.*`,
  ];
}

/** To make the buckets of others, and not to look into them. */
const madeSubjects = ({ keyValues = [] }: ServiceEdges): string[] =>
  keyValues.flatMap(({ name }) => ['INFO', 'CREATE'].map((operation) => `$JS.API.STREAM.${operation}.KV_${name}`));

const unique = (subjects: readonly string[]): string[] => [...new Set(subjects)];

export interface NatsConfigOptions {
  readonly port: number;
  /** Where JetStream keeps its files. */
  readonly storeDir: string;
  /** Address to listen on; this machine alone unless given. */
  readonly host?: string;
  /** For `/healthz` and `/varz`; none unless given. */
  readonly monitorPort?: number;
}

/** Name of the variable that holds a service's NATS password where the configuration says `'env'`. */
export const passwordVariable = (service: string): string => `SKILLGATE_NATS_PASSWORD_${service.toUpperCase().replaceAll('-', '_')}`;

/**
 * Text of a nats-server configuration (2.9 or newer) in which every service has its own user and nothing but its edges.
 *
 * @param passwords by service, or `'env'` to let the server read `passwordVariable(service)`. The server parses such a
 *   value as configuration: begin it with a letter and use letters and digits
 */
export function natsConfig(edges: readonly ServiceEdges[], passwords: Readonly<Record<string, string>> | 'env', options: NatsConfigOptions): string {
  const { port, storeDir, host = '127.0.0.1', monitorPort } = options;
  const twice = edges.find(({ service }, at) => edges.findIndex((other) => other.service === service) !== at);
  if (twice) throw new Error(`Two services are called "${twice.service}": they would share one NATS user. Rename one`);
  const users = edges.map((each) => userText(permissionsOf(each, edges), passwordText(each.service, passwords)));
  return [
    '# Generated from the services\' edges (libs/wire/src/permissions.ts). Do not edit.',
    `listen: ${JSON.stringify(`${host}:${port}`)}`,
    ...(monitorPort === undefined ? [] : [`http: ${JSON.stringify(`${host}:${monitorPort}`)}`]),
    'max_payload: 512KB # the body of a message has at most 256 KiB; headers ride beside it',
    `jetstream { store_dir: ${JSON.stringify(storeDir)} }`,
    `authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`,
  ].join('\n');
}

function passwordText(service: string, passwords: Readonly<Record<string, string>> | 'env'): string {
  if (passwords === 'env') return `$${passwordVariable(service)}`;
  const password = passwords[service];
  if (!password) throw new Error(`There is no NATS password for "${service}". Give one to natsConfig`);
  return JSON.stringify(password);
}

function userText({ user, publish, neverPublish, subscribe, replies }: Permissions, password: string): string {
  const but = (subjects: readonly string[]) => (subjects.length > 0 ? `, deny: ${JSON.stringify(subjects)}` : '');
  const allow = (subjects: readonly string[], never: readonly string[] = []) =>
    subjects.length > 0 ? `{ allow: ${JSON.stringify(subjects)}${but(never)} }` : '{ deny: ">" }'; // an empty list would allow all
  return [
    `    { user: ${JSON.stringify(user)}, password: ${password}, permissions: {`,
    `      publish: ${allow(publish, neverPublish)}`,
    `      subscribe: ${allow(subscribe)}`,
    ...(replies ? [`      allow_responses: { max: 1, expires: "${replySeconds}s" }`] : []),
    '    } }',
  ].join('\n');
}
