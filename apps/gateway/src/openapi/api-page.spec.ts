import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const docs = join(import.meta.dirname, '../../../../docs');
const page = readFileSync(join(docs, 'api.md'), 'utf8');
const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as { paths: Record<string, Record<string, Operation>> };

interface Operation {
  requestBody?: { content: Record<string, { schema: { required?: string[]; properties?: object; additionalProperties?: object } } | undefined> };
}

interface Call {
  line: string;
  method: string;
  path: string;
  body: string | undefined;
}

/** The command lines of the page, as a shell would read what matters of them. */
const calls = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block]) => block!.split('\n'))
  .flatMap((line): Call[] => {
    const [, path] = /\$URL(\/[^\s"?]*)/.exec(line) ?? [];
    const [, body] = / -d '(.*?)'(?= |$)/.exec(line) ?? [];
    const [, method] = / -X ([A-Z]+) /.exec(line) ?? [];
    return path ? [{ line, path, body, method: method ?? (body ? 'POST' : 'GET') }] : [];
  });

/** `/api/v1/turns/$TURN/route` or `/api/v1/tiers/starter`: fits a template part by part, literal parts first. */
function operationOf(method: string, path: string): Operation | undefined {
  const parts = path.split('/');
  const fits = (template: string) => {
    const wanted = template.split('/');
    return wanted.length === parts.length && wanted.every((part, n) => part === parts[n] || (part.startsWith('{') && parts[n] !== ''));
  };
  const templates = Object.keys(paths).filter(fits);
  const literal = (template: string) => template.split('{').length;
  return templates.sort((a, b) => literal(a) - literal(b)).map((template) => paths[template]![method.toLowerCase()])[0];
}

describe('docs/api.md', () => {
  it('has a line for most of the API', () => {
    expect(calls.length).toBeGreaterThan(30);
  });

  const rows = calls.map(({ method, path, body }) => [method, path, body] as const);
  it.each(rows)('%s %s is in the OpenAPI document', (method, path, body) => {
    const operation = operationOf(method, path);
    expect(operation).toBeDefined();
    if (body === undefined) return;
    const { required = [], properties = {}, additionalProperties } = operation!.requestBody!.content['application/json']!.schema;
    const sent = Object.keys(JSON.parse(body.replace(/'\$(\w+)'/g, '$1')) as object);
    expect(sent).toEqual(expect.arrayContaining(required));
    if (!additionalProperties) expect(Object.keys(properties)).toEqual(expect.arrayContaining(sent)); // else its names are skills
  });

  it('names no other route that is not there', () => {
    const named = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`]+)`/g)].map(([, method, path]) => [method!, path!] as const);
    expect(named.length).toBeGreaterThan(2);
    const known = ([method, path]: readonly [string, string]) => path === '/openapi.json' || operationOf(method, path);
    expect(named.filter((one) => !known(one))).toEqual([]);
  });
});
