import { root } from '@skillgate/standalone/run-from-source';
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Import {
  /** The package that imports, by its folder: `apps/gateway`. */
  room: string;
  /** The npm package that is imported. */
  name: string;
}

/** Imports that stay in the compiled file: `import type` and the types among braces do not. */
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Every package that a process loads which starts from `entry` (a source file), with the room that asks for it. */
export function importsFrom(entry: string): Import[] {
  const found = new Map<string, Import>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const room = relative(root, file).split('/').slice(0, 2).join('/');
    for (const [, asked, later] of readFileSync(file, 'utf8').matchAll(statement)) {
      const specifier = asked ?? later ?? '';
      if (specifier.startsWith('.')) {
        visit(join(dirname(file), specifier.replace(/\.js$/, '.ts')));
        continue;
      }
      const [scope = '', second = '', ...path] = specifier.split('/');
      if (specifier.startsWith('node:') || builtinModules.includes(scope)) continue;
      const name = scope.startsWith('@') ? `${scope}/${second}` : scope;
      found.set(`${room} ${name}`, { room, name });
      if (scope === '@skillgate') visit(sourceOf(second, path.join('/')));
    }
  };
  visit(entry);
  return [...found.values()];
}

function sourceOf(room: string, path: string): string {
  const files = ['apps', 'libs'].map((kind) => join(root, kind, room, 'src', `${path}.ts`));
  const file = files.find(existsSync);
  if (!file) throw new Error(`@skillgate/${room}/${path} is neither ${files.join(' nor ')}`);
  return file;
}
