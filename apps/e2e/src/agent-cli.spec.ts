// Proves: a complete agent CLI from npm works against the house, with its own tools beside ours, and knows nothing of us but a base URL.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

const cli = createRequire(import.meta.url).resolve('@qwen-code/qwen-code/cli.js');

describe('qwen-code', () => {
  let t: TestHouse;
  let home: string;
  beforeAll(async () => {
    t = await startTestHouse();
    home = mkdtempSync(join(tmpdir(), 'skillgate-qwen-'));
  }, 60_000);
  afterAll(async () => {
    rmSync(home, { recursive: true, force: true });
    await t.stop();
  });

  /** One task, with every action allowed, in a directory and a home of its own. */
  const run = (prompt: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const flags = ['--auth-type', 'openai', '--openai-base-url', `${t.house.url}/v1`, '--openai-api-key', t.house.keys.pro, '-m', modelId, '--yolo', '-o', 'text'];
      const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', QWEN_TELEMETRY_ENABLED: 'false' };
      const child = execFile(process.execPath, [cli, ...flags, prompt], { cwd: home, env, timeout: 60_000 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
      );
      child.stdin?.end();
    });

  it('writes a file with its own tool, in one chat with a skill of ours', async () => {
    const file = join(home, 'notes.md');
    t.model.extend([
      { toolCalls: [{ name: 'load_skill', arguments: { slug: 'meeting-notes' } }] },
      { toolCalls: [{ name: 'write_file', arguments: { file_path: file, content: '# Notes\n' } }] },
      { text: 'The notes are written.' },
    ]);
    expect(await run('Write notes.md.')).toContain('The notes are written.');
    expect(readFileSync(file, 'utf8')).toBe('# Notes\n');
    const last = t.model.requests.at(-1)!.json;
    const results = last.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    expect(results).toHaveLength(2);
    expect(results.at(-1)).toContain('notes.md');
    // What the CLI never saw is still there: it went on with the chat.
    expect(JSON.stringify(last.messages.map(({ tool_calls }) => tool_calls))).toContain('load_skill');
    t.model.assertConsumed();
  }, 90_000);
});
