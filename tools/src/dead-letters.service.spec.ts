import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { manifestApproved } from '@skillgate/contracts/events/registry';
import { refuse } from '@skillgate/contracts/refusal';
import { platformEdges } from '@skillgate/contracts/services/all';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import { deadLetterStream, eventStream } from '@skillgate/contracts/streams';
import { type TestNats, withNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DeadLettersResult } from './dead-letters.js';

jest.setTimeout(60_000); // the command compiles itself from source

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

describe('bin/skillgate dead-letters', () => {
  let nats: TestNats;
  let accounts: Wire;
  let catalog: Wire;
  let registry: Wire;
  let broken = true;
  const heard: string[] = [];

  beforeAll(async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // each letter is told of there
    nats = await withNats([...platformEdges, operatorToolsEdges]);
    [accounts, catalog, registry] = await Promise.all([nats.connect('accounts'), nats.connect('catalog'), nats.connect('registry')]);
    await accounts.reconcileStreams([eventStream('accounts')]);
    await catalog.reconcileStreams([deadLetterStream('catalog')]);
    await registry.reconcileStreams([eventStream('registry')]); // and no dead letters yet
    const hearing = catalog.hear(entitlementsChanged, async ({ tier }, { id }) => {
      heard.push(id);
      if (broken) throw refuse('unknown-tier', `There is no tier "${tier}"`);
    });
    await hearing.ready;
    await catalog.hear(manifestApproved, async () => {
      throw refuse('unknown-profile', 'No');
    }).ready;
  });
  afterAll(() => nats.close());

  const command = async (...words: string[]) => {
    const env = { ...process.env, SKILLGATE_NATS_URL: nats.url, SKILLGATE_NATS_PASSWORD_OPERATOR_TOOLS: nats.passwords['operator-tools'] };
    const ended = await run(join(root, 'bin/skillgate'), ['dead-letters', ...words], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { ...ended, json: () => JSON.parse(ended.stdout) as DeadLettersResult };
  };
  const until = async (check: () => boolean | Promise<boolean>) => {
    for (const end = Date.now() + 10_000; !(await check()); ) {
      if (Date.now() > end) throw new Error(`still not: ${check.toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const change = (n: number) => {
    const facts = { account: crypto.randomUUID(), tier: `tier-${n}`, capabilities: [], integrations: [], skills: {}, locks: { operator: {}, admin: {} }, policyEpoch: n };
    return accounts.publishEvent(entitlementsChanged, facts, { id: `change-${n}` });
  };

  it('says that there are none', async () => {
    expect((await command()).stdout).toContain('no dead letters');
  });

  it('lists them with their reason, shows one, tells it again with success, and drops another', async () => {
    for (const n of [1, 2, 3]) await change(n);
    await registry.publishEvent(manifestApproved, { executor: 'docs', tools: [], by: 'me', approvedAt: new Date().toISOString() }, { id: 'approved-1' });
    const letters = nats.connect('operator-tools').then((tools) => tools.deadLetters(deadLetterStream('catalog')));
    await until(async () => (await (await letters).list(10)).length === 4);

    const listed = await command('list', '--service', 'catalog');
    expect(listed.stdout).toMatch(/catalog-1 {2}.*event\.v1\.accounts\.entitlements-changed {2}delivered once\n {4}refusal unknown-tier: There is no tier "tier-1"/);
    const { letters: all = [] } = (await command('--json')).json();
    const find = (eventId: string) => all.find((letter) => letter.eventId === eventId)!.id;
    expect(JSON.parse((await command('show', find('change-2'))).stdout)).toMatchObject({ eventId: 'change-2', payload: { tier: 'tier-2' }, consumer: 'catalog__entitlements-changed' });

    broken = false;
    heard.length = 0;
    const replayed = await command('replay', find('change-3'), find('change-1'), 'catalog-99', '--json');
    expect(replayed.code).toBe(1);
    expect(replayed.json().done).toEqual([
      { id: find('change-3'), done: 'replayed' },
      { id: find('change-1'), done: 'replayed' },
      { id: 'catalog-99', problem: expect.stringContaining('no such dead letter') },
    ]);
    await until(() => heard.length === 2);
    expect(heard).toEqual(['change-3', 'change-1']);

    expect((await command('drop', find('change-2'))).stdout).toBe(`${find('change-2')} dropped\n`);
    expect((await command('--json')).json().letters?.map(({ eventId }) => eventId)).toEqual(['approved-1']);
  });

  it('says what to set when it cannot find the house, and that NATS does not answer', async () => {
    const state = mkdtempSync(join(tmpdir(), 'skillgate-state-'));
    const bare = { PATH: process.env.PATH };
    const noHouse = (await run(join(root, 'bin/skillgate'), ['dead-letters', '--state', state], { env: bare }).catch((error: object) => error)) as { code: number; stderr: string };
    expect(noHouse.code).toBe(69);
    expect(noHouse.stderr).toContain('SKILLGATE_NATS_PASSWORD_OPERATOR_TOOLS');
    writeFileSync(join(state, 'nats-url'), `${nats.url}\n`);
    writeFileSync(join(state, 'secrets.json'), JSON.stringify({ nats: { 'operator-tools': 'wrong' } }));
    const refused = (await run(join(root, 'bin/skillgate'), ['dead-letters', '--state', state], { env: bare }).catch((error: object) => error)) as { code: number; stderr: string };
    expect(refused).toMatchObject({ code: 69, stderr: expect.stringContaining('refuses user "operator-tools"') });
    rmSync(state, { recursive: true });
    expect((await command('resend')).code).toBe(64);
  });
});
