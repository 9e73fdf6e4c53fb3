import { root } from '@skillgate/standalone/run-from-source';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Container {
  image?: string;
  build?: { args: { APP: string } };
  command?: string[];
  /** No value: the one of the same name in `.env`, if it has one. */
  environment?: Record<string, string | null>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
}

export const containers = (parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as { services: Record<string, Container> }).services;

/** `${X}`, `${X:-default}` and `${X:?problem}`, the forms that the file uses. */
const reference = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** The variables that Compose puts into a container, given the content of `.env`. */
export function environmentOf({ environment = {} }: Container, dotenv: NodeJS.Dict<string>): Record<string, string> {
  const resolve = (text: string) =>
    text.replace(reference, (_whole, name: string, operator?: string, rest = '') => {
      if (operator === '?' && !dotenv[name]) throw new Error(rest);
      return dotenv[name] || (operator === '-' ? rest : '');
    });
  const given = Object.entries(environment).map(([name, value]) => [name, value === null ? dotenv[name] : resolve(value)] as const);
  return Object.fromEntries(given.filter((each): each is [string, string] => each[1] !== undefined));
}
