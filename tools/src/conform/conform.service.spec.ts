// Proves: docs/executor-protocol.md is enough. An executor in plain Node, without our libraries or any other, keeps every rule.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ConformReport } from '@skillgate/executor-kit/conform/report';
import { conformArguments } from './conform-arguments.js';
import { runConform } from './run-conform.js';

const folder = join(import.meta.dirname, '../../../examples/executor-plain');

describe('bin/skillgate conform', () => {
  it.each([
    [[], '--executor names the executor'],
    [['--executor', 'Plain'], '--executor names the executor'],
    [['--executor', 'plain', 'node', 'x.mjs'], 'put the command behind "--"'],
    [['--executor', 'plain', '--nats', '127.0.0.1'], 'no nats:// or tls:// address'],
  ])('refuses the words %j', (words, message) => {
    expect(() => conformArguments(words)).toThrow(message);
  });

  it('finds nothing in the plain executor, which has no library', async () => {
    const imports = readdirSync(folder).filter((file) => file.endsWith('.mjs')).flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1]!));
    expect(imports.filter((name) => !/^(node:|\.\/)/.test(name))).toEqual([]);

    const printed: string[] = [];
    const code = await runConform(conformArguments(['--executor', 'plain', '--json', '--', process.execPath, 'executor.mjs']), folder, (line) => printed.push(line));
    const report = JSON.parse(printed.join('')) as ConformReport;
    expect(report.rules.filter(({ verdict }) => verdict !== 'kept')).toEqual([]);
    expect(code).toBe(0);
  }, 120_000);

  it.each([
    ['false', /nothing in \d s; the command has ended with exit code 1/],
    ['true', /nothing in 20 s; the command has ended with exit code 0/],
  ])('says that the command "%s" has ended', async (command, came) => {
    const printed: string[] = [];
    expect(await runConform(conformArguments(['--executor', 'plain', '--', command]), folder, (line) => printed.push(line))).toBe(1);
    expect(printed.join('\n')).toMatch(came);
  }, 60_000);

  it('says what the plan lacks', async () => {
    await expect(runConform(conformArguments(['--executor', 'plain', '--plan', 'package.json', '--', 'true']), folder, () => undefined)).rejects.toThrow('there is no plan');
  });
});
