import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importArguments } from './import-arguments.js';
import { readTree } from './read-tree.js';
import { runImport } from './run-import.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillgate-import-'));
  mkdirSync(join(folder, 'memo/references'), { recursive: true });
  writeFileSync(join(folder, 'memo/SKILL.md'), 'text');
  writeFileSync(join(folder, 'memo/references/form.md'), 'form');
  writeFileSync(join(folder, '.hidden'), 'x');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the words of bin/skillgate import', () => {
  it('name one folder or zip', () => {
    expect(importArguments(['x.zip', '--lenient'])).toMatchObject({ path: 'x.zip', lenient: true, account: false, json: false });
  });

  it.each([
    [[], 'name one folder or zip'],
    [['a', 'b'], 'name one folder or zip'],
    [['a', '--url', 'house'], 'no http:// or https:// address'],
    [['a', '--force'], 'Unknown option'],
  ])('%j are refused', (words, message) => {
    expect(() => importArguments(words)).toThrow(message);
  });
});

describe('a folder', () => {
  it('is sent with every file but those behind a dot', () => {
    const { files } = JSON.parse(String(readTree(folder).body)) as { files: { path: string; base64: string }[] };
    expect(files.map(({ path, base64 }) => [path, Buffer.from(base64, 'base64').toString()]).sort()).toEqual([['memo/SKILL.md', 'text'], ['memo/references/form.md', 'form']]);
  });

  it('or a zip that is not there is named, with what to give', () => {
    expect(() => readTree('/nowhere/skills')).toThrow('There is no /nowhere/skills; name a folder of skills or a zip.');
  });

  it('with a link in it is not read', () => {
    symlinkSync('/etc/hostname', join(folder, 'memo/link'));
    expect(() => readTree(folder)).toThrow('memo/link is no regular file');
    rmSync(join(folder, 'memo/link'));
  });
});

describe('what the house answers', () => {
  const finding = { level: 'error', slug: 'memo', file: 'SKILL.md', line: 3, column: 1, rule: 'yaml-colon', message: 'A colon.', advice: 'Quote it.' };
  it.each<[string, number, object, string[], number]>([
    ['published', 201, { published: [{ slug: 'memo', version: '1.1.0', before: '1.0.0' }], findings: [], unused: ['x.txt'] }, ['x.txt belongs to no skill and was left out', 'published memo@1.1.0, before it 1.0.0'], 0],
    ['refused', 422, { detail: 'Nothing was taken over. memo/SKILL.md:3: A colon.', status: 422, findings: [finding] }, ['memo/SKILL.md:3:1: error yaml-colon: A colon. Quote it.', 'Nothing was taken over. Correct what is said above and import it again.'], 1],
    ['refused for another reason', 409, { detail: 'memo@1.0.0 was published.', status: 409 }, ['memo@1.0.0 was published.'], 1],
  ])('is printed: %s', async (_word, status, answer, lines, code) => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const before = process.env.SKILLGATE_OPERATOR_KEY;
    process.env.SKILLGATE_OPERATOR_KEY = 'key-of-a-test';
    try {
      const printed: string[] = [];
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      expect(await runImport({ path: folder, lenient: true, account: false, url, json: false, help: false }, '', '/', (line) => printed.push(line))).toBe(code);
      expect(printed).toEqual(lines);
      expect([asked[0]!.url, asked[0]!.headers.authorization]).toEqual(['/api/v1/skills?mode=lenient', 'Bearer key-of-a-test']);
    } finally {
      if (before === undefined) delete process.env.SKILLGATE_OPERATOR_KEY;
      else process.env.SKILLGATE_OPERATOR_KEY = before;
      server.close();
    }
  });
});
