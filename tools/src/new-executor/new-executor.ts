import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { houseEdges } from '@skillgate/standalone/house-services';
import { root, sourceFlags } from '@skillgate/standalone/run-from-source';
import { parse } from 'yaml';
import { packKit } from '../pack-kit/pack-kit.js';
import { fillTemplate } from './fill-template.js';
import type { NewExecutorArguments } from './new-executor-arguments.js';

const exact = (manifest: string, kind: 'dependencies' | 'devDependencies', name: string): string =>
  (JSON.parse(readFileSync(join(root, manifest), 'utf8')) as Record<typeof kind, Record<string, string>>)[kind][name]!;

/**
 * Makes the folder of a new executor.
 *
 * @param apps where such a folder goes
 * @throws when there is something already
 */
export async function newExecutor(wanted: Omit<NewExecutorArguments, 'help'>, calledFrom: string, print: (line: string) => void, apps = join(root, 'apps')): Promise<string> {
  const { name, standalone, kit, profile } = wanted;
  if (houseEdges.some(({ service }) => service === name)) throw new Error(`"${name}" is part of the house; give the executor another name`);
  const folder = standalone === undefined ? join(apps, `executor-${name}`) : resolve(calledFrom, standalone);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty; nothing was made`);
  const values = {
    ...{ name, profile, prefix: name.replaceAll('-', '_'), camel: name.replace(/-+(\w?)/g, (_whole, next: string) => next.toUpperCase()) },
    zod: exact('libs/executor-kit/package.json', 'dependencies', 'zod'),
    nodeTypes: exact('package.json', 'devDependencies', '@types/node'),
    typescript: exact('package.json', 'devDependencies', 'typescript'),
    kit: kit ?? '',
  };
  if (standalone !== undefined && kit === undefined) values.kit = `file:vendor/${basename(await packKit({ to: join(folder, 'vendor') }, calledFrom))}`;
  for (const [path, text] of fillTemplate(['both', standalone === undefined ? 'inside' : 'standalone'], values)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'manifest.json'), await printedManifest(folder));
  const known = shippedProfiles();
  if (!known.includes(profile)) {
    print(`no profile "${profile}" is in apps/registry/profiles.yaml: the tool is quarantined until the house has one (docs/writing-an-executor.md, "The profile")`);
    print(`there are: ${known.join(', ')}`);
  }
  for (const line of standalone === undefined ? nextInside(name, relative(root, folder), values.prefix) : nextStandalone(name, folder, profile)) print(line);
  return folder;
}

/** Those that skills open, as this checkout has them; a house may have more. */
const shippedProfiles = (): string[] =>
  (parse(readFileSync(join(root, 'apps/registry/profiles.yaml'), 'utf8')) as { profiles: { name: string }[] }).profiles.map(({ name }) => name);

/** As the new code itself prints it, run with the packages of this checkout. */
async function printedManifest(folder: string): Promise<string> {
  const inside = folder.startsWith(`${root}/`);
  const modules = join(folder, 'node_modules');
  if (!inside) symlinkSync(join(root, 'node_modules'), modules);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...sourceFlags, join(folder, 'src/print-manifest.ts')], { cwd: root });
    return stdout;
  } finally {
    if (!inside) unlinkSync(modules);
  }
}

const nextInside = (name: string, folder: string, prefix: string): string[] => [
  `made ${folder}; its tests pass: bin/test executor-${name}`,
  'to make it part of the house:',
  `  npm install                                  links the new package`,
  `  apps/registry/profiles.yaml                  name ${prefix}_count_words in a profile`,
  `  apps/standalone/src/house-services.ts        add it to executors, and to apps/standalone/package.json`,
  `  eslint.config.mjs                            add "executor-${name}" to the scopes`,
  `  docs/house.md                                a row with its README`,
  `  deploy/base/executor-${name}, deploy/make-nats-config, deploy/make-env --example > .env.example`,
];

const nextStandalone = (name: string, folder: string, profile: string): string[] => [
  `made ${folder}`,
  `  cd ${folder} && npm install && npm test      passes at once`,
  '  npm run conform                              tries every rule of the protocol',
  `  bin/dev --executor ${name}                   a house that lets it in, and says how to start it`,
  `its tool stands in the profile "${profile}": skills that open that profile open it too`,
];
