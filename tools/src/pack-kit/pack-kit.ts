import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@skillgate/standalone/run-from-source';
import { compileTo, declare, sourcesOf } from './compile-room.js';
import type { PackKitArguments } from './pack-kit-arguments.js';
import { insideManifest, publishedManifest, type RoomManifest } from './published-manifests.js';

/** Of `libs/backing` the suite needs NATS; its PostgreSQL would bring a database server along. */
const backing = ['nats.ts', 'nats-binary.ts', 'nats-greeting.ts', 'own-process.ts', 'state-holder.ts', 'free-port.ts'];
const rooms = ['contracts', 'wire', 'service-kit'] as const;

const manifestOf = (room: string): RoomManifest => JSON.parse(readFileSync(join(root, 'libs', room, 'package.json'), 'utf8')) as RoomManifest;

/**
 * Makes the kit's package as npm publishes it: one archive with the rooms that it stands on inside.
 *
 * @returns the path of the archive
 */
export async function packKit({ to, version = manifestOf('executor-kit').version }: Omit<PackKitArguments, 'help'>, calledFrom: string): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), 'skillgate-pack-'));
  const kit = join(root, 'libs/executor-kit/src');
  const command = join(root, 'tools/src/conform');
  const parts = [
    { from: kit, files: sourcesOf(kit), to: join(stage, 'dist') },
    { from: command, files: sourcesOf(command), to: join(stage, 'dist/conform-command') },
    ...[...rooms, 'backing'].map((room) => {
      const from = join(root, 'libs', room, 'src');
      return { from, files: sourcesOf(from, room === 'backing' ? backing : undefined), to: join(stage, 'node_modules/@skillgate', room, 'dist') };
    }),
  ];
  const declared = await declare(parts.flatMap(({ from, files }) => files.map((file) => join(from, file))));
  try {
    for (const { from, files, to: target } of parts) {
      await compileTo(target, from, files);
      declared.copy(from, target);
    }
    const write = (folder: string, manifest: object) => writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const room of [...rooms, 'backing']) write(join(stage, 'node_modules/@skillgate', room), insideManifest(manifestOf(room), version));
    // What of backing rides along needs no package of others.
    const inside = [...rooms.map(manifestOf), { ...manifestOf('backing'), dependencies: {} }];
    write(stage, publishedManifest(manifestOf('executor-kit'), inside, version));
    cpSync(join(root, 'libs/executor-kit/README.md'), join(stage, 'README.md'));
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    const folder = resolve(calledFrom, to);
    mkdirSync(folder, { recursive: true });
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return join(folder, filename);
  } finally {
    declared.remove();
    rmSync(stage, { recursive: true });
  }
}
