import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';
import { root } from '@skillgate/standalone/run-from-source';

const isSource = (file: string): boolean => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file);

/** Every source of a folder, from its root, without specs. @param only names of files at the top, where not all are wanted */
export const sourcesOf = (folder: string, only?: readonly string[]): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => isSource(file) && (!only || only.includes(file)));

/** Writes the JavaScript of `files` below `to`, as the build of the house does. */
export async function compileTo(to: string, folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { code } = await transformFile(join(folder, file), { configFile: join(root, '.swcrc'), swcrc: false, sourceMaps: false });
    const target = join(to, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

/**
 * Type declarations of all `sources` (absolute), by one program.
 *
 * @returns puts those of one folder into another
 * @throws with the compiler's words
 */
export async function declare(sources: readonly string[]): Promise<{ copy(from: string, to: string): void; remove(): void }> {
  const made = mkdtempSync(join(tmpdir(), 'skillgate-declarations-'));
  const config = join(made, 'tsconfig.json');
  // The types of Node belong to who uses the package; the checkout has its own in node_modules of the root.
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: join(made, 'out'), rootDir: root, typeRoots: [join(root, 'node_modules/@types')] };
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: sources }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', config]).catch((error: { stdout?: string; message: string }) => {
    throw new Error(`the type declarations were not made:\n${error.stdout ?? error.message}`, { cause: error });
  });
  return {
    copy: (from, to) => cpSync(join(made, 'out', relative(root, from)), to, { recursive: true }),
    remove: () => rmSync(made, { recursive: true }),
  };
}
