import { integrationName } from '@skillgate/contracts/integrations';
import { parse } from 'yaml';
import { z } from 'zod';

/** Tokens and codes go there: only over TLS, or to this very machine. */
const endpoint = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}, 'is no https:// address (http:// is for 127.0.0.1 and localhost)');

const isLoopback = (hostname: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

const text = z.string().min(1);

const label = z.union([
  z.strictObject({ claim: text }),
  z.strictObject({ answer: text }),
  z.strictObject({ url: endpoint, at: text }),
  z.strictObject({ field: text }),
]);

const base = { name: integrationName, title: text, label: label.optional() };

const oauth2 = z.strictObject({
  ...base,
  kind: z.literal('oauth2'),
  client: text,
  issuer: endpoint.optional(),
  authorizationEndpoint: endpoint.optional(),
  tokenEndpoint: endpoint.optional(),
  revocationEndpoint: endpoint.optional(),
  clientAuth: z.enum(['client_secret_post', 'client_secret_basic', 'none']).default('client_secret_post'),
  scopes: z.array(text),
  scopeParameter: text.default('scope'),
  parameters: z.record(z.string(), z.string()).default({}),
  answer: z
    .strictObject({
      /** Where in the answer the fields of RFC 6749 stand, if they stand there. */
      tokenAt: text.optional(),
      /** False in it makes an error of an answer with status 200. */
      okField: text.optional(),
      /** Error codes that mean what RFC 6749 calls `invalid_grant`. */
      invalidGrant: z.array(text).default([]),
    })
    .optional(),
});

const fields = z.array(z.strictObject({ name: z.string().regex(/^[a-zA-Z]\w{0,63}$/), title: text })).min(1);

const entry = z
  .discriminatedUnion('kind', [
    oauth2,
    z.strictObject({ ...base, kind: z.literal('api-key'), fields }),
    z.strictObject({ ...base, kind: z.literal('app-password'), fields }),
  ])
  .refine((one) => one.kind !== 'oauth2' || one.issuer || (one.authorizationEndpoint && one.tokenEndpoint), {
    message: 'needs an issuer, or both authorizationEndpoint and tokenEndpoint',
  });

const tableFile = z
  .strictObject({ integrations: z.array(entry).default([]), without: z.array(integrationName).default([]) })
  .refine(({ integrations, without }) => integrations.length + without.length > 0, 'says nothing; give integrations, or without');

export type Provider = z.output<typeof entry>;
export type OAuthProvider = Extract<Provider, { kind: 'oauth2' }>;
export type SecretProvider = Exclude<Provider, OAuthProvider>;

/** By the integration's name, in the order of the file. */
export type ProviderTable = ReadonlyMap<string, Provider>;

/**
 * What a file says, on top of a table: an entry stands in place of the one of its name or is added behind the others, and what `without` names
 * is left out. Everything else stays.
 *
 * @throws Error that names the entry and the mistake
 */
export function parseProviders(yaml: string, file = 'integrations.yaml', under: ProviderTable = new Map()): ProviderTable {
  const parsed = tableFile.safeParse(parse(yaml));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const { integrations, without } = parsed.data;
  const [own, table] = [new Set<string>(), new Map(under)];
  for (const one of integrations) {
    if (own.has(one.name)) throw new Error(`${file}: "${one.name}" stands twice; keep one`);
    own.add(one.name);
    table.set(one.name, one); // a name that is there keeps its place
  }
  for (const name of without) {
    if (own.has(name)) throw new Error(`${file}: "${name}" stands under integrations and under without; keep one`);
    if (!table.delete(name)) throw new Error(`${file}: without names "${name}", which is not there or stands twice; choose from ${[...under.keys()].join(', ')}`);
  }
  return table;
}
