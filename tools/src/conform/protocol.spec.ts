import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { conformRules } from '@skillgate/executor-kit/conform/conform';

it('every rule of the conformance suite is named where the protocol is described, and none that does not exist', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/executor-protocol.md'), 'utf8');
  const bold = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map((match) => match[1]!).filter((name) => name !== 'bold' && name !== 'grant');
  const named = bold.map((name) => (name.startsWith('-') ? `grant${name}` : name));
  const isNamed = (rule: string) => named.some((name) => name === rule || (name.endsWith('…') && rule.startsWith(name.slice(0, -1))));
  const rules = conformRules.map(({ rule }) => rule);
  expect(rules.filter((rule) => !isNamed(rule))).toEqual([]);
  expect(named.filter((name) => !rules.some((rule) => rule === name || (name.endsWith('…') && rule.startsWith(name.slice(0, -1)))))).toEqual([]);
});
