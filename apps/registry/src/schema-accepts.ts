import { canonicalJson } from '@skillgate/contracts/manifest-digest';

type Node = Record<string, unknown>;

/** Words for readers, which decide on no value. */
const prose = ['title', 'description', 'default', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id'];
/** A value within the first is within the second when the second asks for no more. */
const floors = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const ceilings = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Rules that are compared as they stand. */
const whole = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'patternProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems', 'dependentRequired', 'dependentSchemas', '$ref'];
const maxDepth = 32;

/**
 * Does whoever checks against `wide` take every argument that a model writes who was shown `shown`? A model fills in what it is shown, so
 * only what `shown` names counts. In doubt the answer is no.
 */
export function schemaAccepts(wide: Node, shown: Node): boolean {
  if (canonicalJson(bare(wide)) === canonicalJson(bare(shown))) return true;
  // The same reference means the same thing only where the definitions are the same.
  const definitions = (root: Node) => canonicalJson(bare({ ...(root.$defs as object), ...(root.definitions as object) }));
  return definitions(wide) === definitions(shown) && accepts(wide, shown, 0);
}

function accepts(wide: unknown, shown: unknown, depth: number): boolean {
  if (wide === true || (isNode(wide) && Object.keys(bare(wide) as Node).length === 0)) return true;
  if (!isNode(wide) || !isNode(shown) || depth > maxDepth) return canonicalJson(bare(wide)) === canonicalJson(bare(shown));
  if (!whole.every((key) => wide[key] === undefined || canonicalJson(bare(wide[key])) === canonicalJson(bare(shown[key])))) return false;
  const branches = (shown.anyOf ?? shown.oneOf) as unknown[] | undefined;
  if (Array.isArray(branches) && wide.anyOf === undefined && wide.oneOf === undefined && shown.type === undefined)
    return branches.every((branch) => accepts(wide, branch, depth + 1));
  return typesFit(wide, shown) && valuesFit(wide, shown) && boundsFit(wide, shown) && objectsFit(wide, shown, depth) && listsFit(wide, shown, depth);
}

function typesFit(wide: Node, shown: Node): boolean {
  if (wide.type === undefined) return true;
  const allowed = [wide.type].flat() as string[];
  const asked = [shown.type ?? valuesOf(shown)?.map(typeOf) ?? []].flat() as string[];
  return asked.length > 0 && asked.every((type) => allowed.includes(type) || (type === 'integer' && allowed.includes('number')));
}

const valuesOf = (node: Node): unknown[] | undefined => (node.const !== undefined ? [node.const] : (node.enum as unknown[] | undefined));

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function valuesFit(wide: Node, shown: Node): boolean {
  const [allowed, asked] = [valuesOf(wide)?.map(canonicalJson), valuesOf(shown)?.map(canonicalJson)];
  return !allowed || (asked !== undefined && asked.every((value) => allowed.includes(value)));
}

const boundsFit = (wide: Node, shown: Node): boolean =>
  floors.every((key) => wide[key] === undefined || (shown[key] !== undefined && Number(shown[key]) >= Number(wide[key]))) &&
  ceilings.every((key) => wide[key] === undefined || (shown[key] !== undefined && Number(shown[key]) <= Number(wide[key])));

function objectsFit(wide: Node, shown: Node, depth: number): boolean {
  const required = (node: Node): string[] => (Array.isArray(node.required) ? (node.required as string[]) : []);
  if (!required(wide).every((name) => required(shown).includes(name))) return false;
  const [known, named] = [(wide.properties ?? {}) as Node, (shown.properties ?? {}) as Node];
  const others = wide.additionalProperties ?? true;
  const namedFit = Object.entries(named).every(([name, value]) =>
    Object.hasOwn(known, name) ? accepts(known[name], value, depth + 1) : others !== false && accepts(others, value, depth + 1),
  );
  // A map is filled with names that nobody listed; where nothing is said of other names, a model writes none.
  const map = shown.additionalProperties;
  return namedFit && (map === undefined || map === false || accepts(others, map, depth + 1));
}

const listsFit = (wide: Node, shown: Node, depth: number): boolean => wide.items === undefined || accepts(wide.items, shown.items ?? {}, depth + 1);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isNode(value)) return value;
  // A property may be called "title"; then its value is a schema and no text.
  return Object.fromEntries(Object.entries(value).filter(([key, inner]) => !prose.includes(key) || isNode(inner)).map(([key, inner]) => [key, bare(inner)]));
}
