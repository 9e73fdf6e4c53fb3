import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const env = { ...process.env, NX_DAEMON: 'false' };

/** A file that no room may hold, and what the linter must say of it. */
const planted: [room: string, source: string, says: RegExp][] = [
  ['libs/contracts/src', `import { connect } from '@nats-io/transport-node';\nexport const a = connect;\n`, /banned|not allowed/],
  ['libs/gating/src', `import { connectWire } from '@skillgate/wire/connect';\nexport const a = connectWire;\n`, /type:domain/],
  ['apps/executor-docs/src', `import { DataSource } from 'typeorm';\nexport const a = DataSource;\n`, /banned|not allowed/],
  ['apps/gateway/src', `import OpenAI from 'openai';\nexport const a = OpenAI;\n`, /banned|not allowed/],
  ['apps/catalog/src', `import { RegistryModule } from '@skillgate/registry/registry.module';\nexport const a = RegistryModule;\n`, /apps are forbidden/],
];
const fileIn = (room: string) => join(root, room, 'planted-by-a-test.ts');

afterAll(() => planted.forEach(([room]) => rmSync(fileIn(room), { force: true })));

describe('the plan of the house', () => {
  it('is a rule: a forbidden import is refused in every kind of room', async () => {
    for (const [room, source] of planted) writeFileSync(fileIn(room), source);
    // Without a project graph the rule skips itself silently, so it is made first, as bin/test does.
    await run(join(root, 'node_modules/.bin/nx'), ['show', 'projects'], { cwd: root, env });
    const files = planted.map(([room]) => fileIn(room));
    const lint = await run(join(root, 'node_modules/.bin/eslint'), ['--format', 'json', ...files], { cwd: root, env }).catch((error: { stdout: string }) => error);
    const reports = JSON.parse(lint.stdout) as { filePath: string; messages: { ruleId: string; message: string }[] }[];
    for (const [room, , says] of planted) {
      const said = reports.find((report) => report.filePath === fileIn(room))?.messages.filter((each) => each.ruleId === '@nx/enforce-module-boundaries');
      expect({ room, said: said?.map((each) => each.message).join(' ') }).toEqual({ room, said: expect.stringMatching(says) });
    }
  }, 60_000);
});
