// The command as an operator runs it, against a stand-in for the house's REST that answers what the contract says.
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rotateCredentials as contract } from '@skillgate/contracts/calls/integrations';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

jest.setTimeout(60_000); // the command compiles itself from source

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

let server: Server;
let url: string;
/** Ids of credentials under the old key; those that cannot be opened stay. */
let old: string[];
let broken: Set<string>;
let status = 200;
let seen: { authorization?: string; most: number; after?: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request) text += String(piece);
      const { most, after } = JSON.parse(text) as { most: number; after?: string };
      seen.push({ authorization: request.headers.authorization, most, ...(after && { after }) });
      const batch = old.filter((each) => after === undefined || each > after).slice(0, most);
      old = old.filter((each) => !batch.includes(each) || broken.has(each));
      const failed = batch
        .filter((each) => broken.has(each))
        .map((each) => ({ id: each, account: randomUUID(), integration: 'slack', why: 'its key is gone' }));
      const next = batch.length === most ? { next: batch.at(-1)! } : {};
      const answer = contract.output.parse({ key: 'new', rotated: batch.length - failed.length, failed, left: old.length, ...next });
      response
        .writeHead(request.url === '/api/v1/credentials:rotate' ? status : 404)
        .end(JSON.stringify(status === 200 ? answer : { title: 'no' }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  [old, broken, seen, status] = [Array.from({ length: 7 }, (_, n) => id(n)), new Set(), [], 200];
});

async function command(words: string[], env: NodeJS.ProcessEnv = { SKILLGATE_OPERATOR_KEY: 'sk-sg-operator' }) {
  const { PATH, HOME } = process.env;
  return run(join(root, 'bin/skillgate'), ['rotate-credentials', ...words], { env: { PATH, HOME, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('bin/skillgate rotate-credentials', () => {
  it('goes through all credentials in batches and says how far it is', async () => {
    const { code, stdout } = await command(['--url', url, '--batch', '3']);
    expect({ code, lines: stdout.trim().split('\n') }).toEqual({
      code: 0,
      lines: [
        '3 under the key "new", 4 left',
        '6 under the key "new", 1 left',
        '7 under the key "new", 0 left',
        '7 encrypted anew; everything is under "new", and older keys may go',
      ],
    });
    expect(seen).toEqual(
      [undefined, id(2), id(5)].map((after) => ({ authorization: 'Bearer sk-sg-operator', most: 3, ...(after && { after }) })),
    );
  });

  it('names what stays under an old key, ends with 1, and does not go round in circles', async () => {
    broken = new Set([id(1)]);
    const { code, stdout } = await command(['--url', url, '--batch', '3', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      key: 'new',
      rotated: 6,
      left: 1,
      failed: [{ id: id(1), integration: 'slack' }],
    });
  });

  it('finds the house that bin/dev runs by its folder', async () => {
    const state = mkdtempSync(join(tmpdir(), 'rotate-'));
    writeFileSync(join(state, 'url'), `${url}\n`);
    writeFileSync(join(state, 'secrets.json'), JSON.stringify({ operatorKey: 'sk-sg-of-the-folder' }));
    expect((await command(['--state', state], {})).code).toBe(0);
    expect(seen[0]!.authorization).toBe('Bearer sk-sg-of-the-folder');
    rmSync(state, { recursive: true });
  });

  it.each([
    ['a house that refuses', () => ((status = 403), command(['--url', url])), 'answered 403'],
    ['no house at all', () => command(['--state', '/nowhere/at/all'], {}), 'start one with bin/dev'],
    ['a house without the key', () => command(['--url', url], {}), 'set SKILLGATE_OPERATOR_KEY'],
  ])('says what is the matter with %s', async (_what, asked, words) => {
    const { code, stderr } = await asked();
    expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining(words) });
  });
});
