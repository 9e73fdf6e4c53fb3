/** What is read of a room's `package.json`. */
export interface RoomManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ours = '@skillgate/';
const exports = { './*': { types: './dist/*.d.ts', default: './dist/*.js' } };

/** Of a room that travels inside the kit's package: found by its name, installed by nobody. */
export const insideManifest = ({ name, license }: RoomManifest, version: string) => ({ name, version, license, type: 'module', exports });

/**
 * Of the package that npm publishes. Other rooms of the house ride in it, so that a team gets one version of all of them; packages of
 * others are its own dependencies, exactly as the house has tried them.
 *
 * @throws Error when two rooms want different versions of one package
 */
export function publishedManifest(kit: RoomManifest, inside: readonly RoomManifest[], version: string) {
  const dependencies: Record<string, string> = {};
  for (const { name: room, dependencies: wanted = {} } of [kit, ...inside]) {
    for (const [name, range] of Object.entries(wanted)) {
      if (name.startsWith(ours)) continue;
      if (dependencies[name] !== undefined && dependencies[name] !== range) throw new Error(`${room} wants ${name} ${range}, another room ${dependencies[name]}: they ride in one package and need one version`);
      dependencies[name] = range;
    }
  }
  const rooms = inside.map(({ name }) => name);
  for (const room of rooms) dependencies[room] = version;
  return {
    name: kit.name,
    version,
    description: 'What a Skillgate executor is made with: tools, grants, results, and the suite that tries it.',
    license: kit.license,
    type: 'module',
    engines: { node: '>=20.19' },
    exports,
    bin: { 'skillgate-conform': 'dist/conform-command/main.js' },
    files: ['dist', 'README.md'],
    dependencies: Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1))),
    bundleDependencies: rooms,
  };
}
