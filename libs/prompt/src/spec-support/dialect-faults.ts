import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DialectName } from '../dialects.js';

type Node = Record<string, unknown>;

/**
 * What a provider would answer 400 to: its rules written a second time, from its documentation and error messages and not from our
 * conversion, so that the two can disagree. Empty when the schema is fine.
 */
export function dialectFaults(dialect: DialectName, schema: unknown): string[] {
  if (schema === undefined) return dialect === 'gemini' ? [] : ['the tool has no parameters'];
  const faults: string[] = [];
  rules[dialect](schema as Node, faults);
  return faults;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const children = (node: Node): [string, unknown][] => [
  ...['items', 'additionalProperties', 'not', 'contains'].flatMap((key): [string, unknown][] => (isNode(node[key]) ? [[key, node[key]]] : [])),
  ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => ((node[key] as unknown[] | undefined) ?? []).map((one, at): [string, unknown] => [`${key}/${at}`, one])),
  ...['properties', '$defs'].flatMap((key) => Object.entries((node[key] as Node | undefined) ?? {}).map(([name, one]): [string, unknown] => [`${key}/${name}`, one])),
];

function everyNode(node: unknown, path: string, look: (node: Node, path: string) => void): void {
  if (!isNode(node)) return;
  look(node, path);
  for (const [step, child] of children(node)) everyNode(child, `${path}/${step}`, look);
}

/** OpenAI's own, and those of all that speak its protocol. */
function jsonSchema(root: Node, faults: string[]): void {
  if (root.type !== 'object') faults.push('the root is no object');
  for (const key of ['anyOf', 'oneOf', 'allOf', 'enum', 'not']) if (key in root) faults.push(`${key} at the root`);
  const { $schema: _, ...undeclared } = root;
  if (ajv.validateSchema(undeclared) !== true) faults.push(`no JSON Schema: ${ajv.errorsText(ajv.errors)}`);
  everyNode(root, '', (node, path) => {
    const isArray = [node.type].flat().includes('array');
    if (isArray && !isNode(node.items)) faults.push(`${path}: array schema missing items`);
    if (typeof node.$ref === 'string' && !leads(root, node.$ref)) faults.push(`${path}: ${node.$ref} leads nowhere`);
  });
}

const leads = (root: Node, ref: string): boolean =>
  ref === '#' || (ref.startsWith('#/$defs/') && isNode(root.$defs) && ref.slice('#/$defs/'.length) in root.$defs);

const openApiKeys = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf', 'default', 'pattern'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);
const only: Record<string, string> = { properties: 'object', required: 'object', items: 'array', minItems: 'array', enum: 'string', pattern: 'string', minLength: 'string' };
const geminiFormats: Record<string, string[]> = { string: ['date-time', 'enum'], number: ['float', 'double'], integer: ['int32', 'int64'] };

function gemini(root: Node, faults: string[]): void {
  if (root.type !== 'object' || !isNode(root.properties) || Object.keys(root.properties).length === 0) faults.push('properties: should be non-empty for OBJECT type');
  everyNode(root, '', (node, path) => {
    for (const key of Object.keys(node)) {
      if (!openApiKeys.has(key)) faults.push(`${path}: Unknown name "${key}"`);
      if (key in only && only[key] !== node.type) faults.push(`${path}.${key}: only allowed for ${only[key]!.toUpperCase()} type`);
    }
    if (node.anyOf !== undefined && Object.keys(node).length > 1) faults.push(`${path}: when using any_of, it must be the only field set`);
    if (node.anyOf === undefined && !['string', 'number', 'integer', 'boolean', 'array', 'object'].includes(node.type as string)) faults.push(`${path}: no type`);
    if (node.format !== undefined && !geminiFormats[node.type as string]?.includes(node.format as string)) faults.push(`${path}.format: not supported`);
    if (node.type === 'array' && !isNode(node.items)) faults.push(`${path}.items: missing field`);
    if (Array.isArray(node.enum) && (node.enum.length === 0 || node.enum.some((value) => typeof value !== 'string' || value === ''))) faults.push(`${path}.enum: cannot be empty`);
    for (const name of (node.required as string[] | undefined) ?? []) if (!isNode(node.properties) || !(name in node.properties)) faults.push(`${path}.required: ${name} is not defined`);
  });
}

function anthropic(root: Node, faults: string[]): void {
  jsonSchema(root, faults);
  for (const name of Object.keys((root.properties as Node | undefined) ?? {}))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) faults.push('Property keys should match pattern');
}

/** As json-schema-to-grammar.cpp goes through a schema. */
function grammar(root: Node, faults: string[]): void {
  jsonSchema(root, faults);
  everyNode(root, '', (node, path) => {
    if ('$ref' in node || '$defs' in node) faults.push(`${path}: a reference`);
    if (typeof node.pattern === 'string' && !(node.pattern.startsWith('^') && node.pattern.endsWith('$') && !/\\[a-zA-Z]/.test(node.pattern))) faults.push(`${path}: Pattern must start with '^' and end with '$'`);
    const known = ['anyOf', 'oneOf', 'allOf', 'const', 'enum', 'type', 'properties', 'items'].some((key) => node[key] !== undefined);
    if (!known && Object.keys(node).length > 0) faults.push(`${path}: Unrecognized schema`);
  });
}

const rules: Record<DialectName, (root: Node, faults: string[]) => void> = { openai: jsonSchema, anthropic, gemini, grammar };
