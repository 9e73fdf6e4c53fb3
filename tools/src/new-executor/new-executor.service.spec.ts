// Proves: what the generator makes passes at once. Outside of the checkout it stands on the packed kit alone, which keeps the protocol.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@skillgate/standalone/run-from-source';
import type { ConformReport } from '@skillgate/executor-kit/conform/report';
import { newExecutorArguments } from './new-executor-arguments.js';
import { newExecutor } from './new-executor.js';

const run = promisify(execFile);
const node = (args: readonly string[], cwd: string) => run(process.execPath, args, { cwd, maxBuffer: 10_000_000 });

// Below the checkout, so that packages of others are found without a registry; not among the apps, which other specs count.
let folder: string;
beforeAll(() => {
  mkdirSync(join(root, '.skillgate'), { recursive: true });
  folder = mkdtempSync(join(root, '.skillgate/new-executor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const make = async (words: string[]): Promise<string> => newExecutor(newExecutorArguments(['executor', ...words]), folder, () => undefined, folder);

/** Packages of which the checkout has another version at its top: npm would put the kit's own into place. */
function linkNested(made: string): void {
  for (const room of ['executor-kit', 'service-kit', 'wire', 'contracts']) {
    const nested = join(root, 'libs', room, 'node_modules');
    if (!existsSync(nested)) continue;
    for (const name of readdirSync(nested)) if (!name.startsWith('.') && !name.startsWith('@')) symlinkSync(join(nested, name), join(made, 'node_modules', name));
  }
}

describe('the words of bin/skillgate new', () => {
  it.each([
    [[], 'say what to make'],
    [['skill', 'x'], '"skill" cannot be made'],
    [['executor'], 'name the executor'],
    [['executor', 'My Tools'], 'name the executor'],
    [['executor', 'x', '--kit', '1.0.0'], '--kit is for a standalone executor'],
    [['executor', 'x', '--profile', 'no-profile'], 'no name of a profile'],
  ])('%j are refused', (words, message) => {
    expect(() => newExecutorArguments(words)).toThrow(message);
  });

  it.each(['registry', 'docs'])('refuse the name "%s", which is part of the house', async (name) => {
    await expect(make([name])).rejects.toThrow('is part of the house');
  });
});

describe('an executor of the checkout', () => {
  it.each([
    ['docs', false],
    ['nope', true],
  ])('of the profile "%s" is told whether nobody knows it: %j', async (profile, told) => {
    const printed: string[] = [];
    await newExecutor(newExecutorArguments(['executor', `of-${profile}`, '--profile', profile]), folder, (line) => printed.push(line), folder);
    expect([printed.some((line) => line.startsWith('no profile "nope"')), printed.some((line) => line.includes('docs, analytics'))]).toEqual([told, told]);
  });

  it('has types that hold and tests that pass, and is not made over', async () => {
    const made = await make(['weather-lab']);
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] }, include: ['src'] };
    writeFileSync(join(made, 'tsconfig.json'), JSON.stringify(config));
    await node([join(root, 'node_modules/typescript/bin/tsc'), '-p', made], made);
    // The house's own configuration leaves .skillgate out.
    const jest = {
      ...{ rootDir: made, extensionsToTreatAsEsm: ['.ts'], transform: { '^.+\\.ts$': ['@swc/jest', { configFile: join(root, '.swcrc') }] } },
      ...{ testEnvironment: 'node', testEnvironmentOptions: { customExportConditions: ['@skillgate/source', 'node', 'node-addons'] }, moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' } },
    };
    writeFileSync(join(made, 'jest.json'), JSON.stringify(jest));
    const { stderr } = await node(['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), '-c', join(made, 'jest.json')], made);
    expect(stderr).toContain('Tests:       4 passed, 4 total');
    expect(JSON.parse(readFileSync(join(made, 'manifest.json'), 'utf8'))).toMatchObject({ executor: 'weather-lab', tools: [{ name: 'weather_lab_count_words', profile: 'docs' }] });
    await expect(make(['weather-lab'])).rejects.toThrow('is not empty');
  }, 120_000);
});

describe('an executor of its own', () => {
  it('builds, passes its tests and keeps the protocol with the packed kit and nothing else of the house', async () => {
    const made = await make(['mill', '--standalone', 'mill', '--profile', 'analytics']);
    const { dependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    const archive = dependencies['@skillgate/executor-kit']!.replace('file:', '');
    // As npm would: the package with what is bundled in it.
    const kit = join(made, 'node_modules/@skillgate/executor-kit');
    mkdirSync(kit, { recursive: true });
    await run('tar', ['xzf', join(made, archive), '--strip-components=1', '-C', kit]);
    linkNested(made);
    expect(existsSync(join(kit, 'node_modules/@skillgate/contracts/dist/refusal.js'))).toBe(true);
    expect(existsSync(join(kit, 'node_modules/@skillgate/backing/dist/postgres.js'))).toBe(false);

    await node([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--typeRoots', join(root, 'node_modules/@types')], made);
    const { stdout } = await node(['--test', 'dist/count-words.test.js'], made);
    expect(stdout).toMatch(/^# pass 4$/m);
    expect(readFileSync(join(made, 'skill/mill-count-words/SKILL.md'), 'utf8')).toContain('skillgate.profiles: analytics');
    expect(readFileSync(join(made, 'Dockerfile'), 'utf8')).toContain('USER 1000:1000');

    const conform = join(kit, 'dist/conform-command/main.js');
    const report = JSON.parse((await node([conform, '--executor', 'mill', '--json', '--', process.execPath, 'dist/main.js'], made)).stdout) as ConformReport;
    expect(report.rules.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
    expect(report.rules.flatMap(({ rule, verdict }) => (verdict === 'not-tried' ? [rule] : []))).toEqual([
      ...['size-limit', 'deadline', 'cancel', 'settle-never', 'settle-done', 'settle-other-turn', 'instances'],
    ]);
  }, 240_000);
});
