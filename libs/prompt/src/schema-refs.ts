import { SchemaProblem, type Schema } from './schema-problem.js';

const maxChain = 16; // references that point at references

/** The schema that a local reference (RFC 6901 pointer behind `#`) points at, followed until it is no bare reference. */
export function resolveRef(ref: string, root: Schema): Schema {
  let pointer = ref;
  for (let hop = 0; hop < maxChain; hop += 1) {
    const target = find(root, pointer, ref);
    if (typeof target.$ref !== 'string') return target;
    pointer = target.$ref;
  }
  throw new SchemaProblem(`The reference ${ref} leads round in a circle; let it end at a schema.`);
}

function find(root: Schema, pointer: string, ref: string): Schema {
  if (!pointer.startsWith('#')) throw new SchemaProblem(`The reference ${pointer} is not local; copy what it points at into $defs.`);
  let node: unknown = root;
  for (const part of pointerParts(pointer))
    node = typeof node === 'object' && node !== null && Object.hasOwn(node, part) ? (node as Schema)[part] : undefined;
  if (node === true) return {};
  if (typeof node !== 'object' || node === null || Array.isArray(node))
    throw new SchemaProblem(`The reference ${ref} points at nothing; add it to $defs.`);
  return node as Schema;
}

export function pointerParts(pointer: string): string[] {
  const parts = pointer
    .slice(1)
    .split('/')
    .slice(1)
    .map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts[0] === 'definitions' ? ['$defs', ...parts.slice(1)] : parts; // older drafts; the copy has them under $defs
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a bare percent sign
  }
}
