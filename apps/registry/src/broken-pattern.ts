type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose value maps names, which mean nothing, to schemas. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose value is a value, whatever it looks like. */
const values = new Set(['const', 'enum', 'default', 'examples']);

const compiles = (pattern: string, flags: string): boolean => {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
};

/** What JSON Schema asks for is Unicode (ECMA-262, flag u); many write without it, and validators take that too. */
const isRegex = (pattern: string): boolean => compiles(pattern, 'u') || compiles(pattern, '');

/** The first regular expression of a schema that is none, as a sentence; undefined when all of them can be compiled. */
export function brokenPattern(schema: unknown, place = ''): string | undefined {
  if (Array.isArray(schema)) return firstOf(schema.map((one, at) => [one, `${place}/${at}`]));
  if (!isNode(schema)) return undefined;
  const { pattern, patternProperties } = schema;
  const written = [...(typeof pattern === 'string' ? [pattern] : []), ...(isNode(patternProperties) ? Object.keys(patternProperties) : [])];
  const broken = written.find((one) => !isRegex(one));
  if (broken !== undefined) return `${place || 'the root of the schema'}: the pattern ${JSON.stringify(broken.slice(0, 100))} is no regular expression of ECMAScript; correct it or leave it out`;
  return firstOf(
    Object.entries(schema).flatMap(([key, value]): [unknown, string][] => {
      if (values.has(key)) return [];
      if (maps.has(key) && isNode(value)) return Object.entries(value).map(([name, one]) => [one, `${place}/${key}/${name}`]);
      return [[value, `${place}/${key}`]];
    }),
  );
}

function firstOf(nodes: readonly (readonly [unknown, string])[]): string | undefined {
  for (const [node, place] of nodes) {
    const fault = brokenPattern(node, place);
    if (fault) return fault;
  }
  return undefined;
}
