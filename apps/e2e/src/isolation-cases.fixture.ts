import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@skillgate/standalone/run-from-source';

/** Where a request names something: a part of the path, of the query, or a field of the JSON body (`skillgate.artifacts[]`). */
export interface IdPlace {
  where: 'path' | 'query' | 'body';
  name: string;
}

export interface Operation {
  /** `GET /api/v1/turns/{turn}` */
  name: string;
  method: string;
  path: string;
  pathNames: string[];
  readsJson: boolean;
  /** Every place of it in which somebody could put the id of another's thing, and those that only look like it. */
  places: IdPlace[];
}

type Schema = { type?: string; format?: string; pattern?: string; properties?: Record<string, Schema>; items?: Schema } & Partial<
  Record<'anyOf' | 'oneOf' | 'allOf', Schema[]>
>;

interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }>>;
}
interface Parameter {
  in: string;
  name: string;
}

export const placeName = ({ where, name }: IdPlace): string => `${where} ${name}`;

/** Every operation of the committed OpenAPI document, which a spec of the gateway holds to the code. */
export function operations(): Operation[] {
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const json = requestBody?.content['application/json']?.schema;
      const named = parameters.flatMap(({ in: where, name }): IdPlace[] =>
        where === 'path' || where === 'query' ? [{ where, name }] : [],
      );
      return {
        ...{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, readsJson: json !== undefined },
        pathNames: named.filter(({ where }) => where === 'path').map(({ name }) => name),
        places: [...named, ...(json ? idFields(json, '') : [])],
      };
    }),
  );
}

/** A UUID, or a prefix of ours with what follows it: `^art_[0-9a-f]{32}$`. */
const looksLikeId = ({ format, pattern }: Schema): boolean => format === 'uuid' || /^\^[a-z]+_\[/.test(pattern ?? '');

function idFields(schema: Schema, name: string): IdPlace[] {
  const own: IdPlace[] = looksLikeId(schema) ? [{ where: 'body', name }] : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => idFields(inner, name ? `${name}.${key}` : key));
  const items = schema.items ? idFields(schema.items, `${name}[]`) : [];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((branch) => idFields(branch, name));
  return [...own, ...fields, ...items, ...branches];
}

/** Puts a value where the place says, into a copy. */
export function bodyWith(body: object, name: string, value: string): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const keys = name.split('.');
  const last = keys.pop()!;
  let at = copy;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (last.endsWith('[]')) at[last.slice(0, -2)] = [value];
  else at[last] = value;
  return copy;
}
