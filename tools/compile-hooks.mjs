import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const configFile = fileURLToPath(new URL('../.swcrc', import.meta.url));

/** Sources import each other as `./x.js`, the name after the build; from source only `./x.ts` is there. */
function sourceBeside(specifier, parentURL) {
  if (!parentURL?.startsWith('file:') || !/^\.{1,2}\/.*\.js$/.test(specifier)) return specifier;
  if (existsSync(fileURLToPath(new URL(specifier, parentURL)))) return specifier;
  const source = specifier.replace(/\.js$/, '.ts');
  return existsSync(fileURLToPath(new URL(source, parentURL))) ? source : specifier;
}

export async function resolve(specifier, context, next) {
  // Also where the flag --conditions cannot be given, as in jest's own process.
  const conditions = context.conditions.includes('@skillgate/source')
    ? context.conditions
    : ['@skillgate/source', ...context.conditions];
  return next(sourceBeside(specifier, context.parentURL), { ...context, conditions });
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { configFile, swcrc: false, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
