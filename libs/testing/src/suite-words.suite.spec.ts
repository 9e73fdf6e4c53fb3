// Proves: nothing that any service of the whole run logged, and no span that ended in it, holds a secret of any test.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { secretsIn } from './planted.js';

describe('the logs and spans of the whole run', () => {
  const counted = { lines: 0, spans: 0 };
  const services = { lines: new Set<string>(), spans: new Set<string>() };
  const found: Record<'lines' | 'spans', string[]> = { lines: [], spans: [] };

  beforeAll(async () => {
    const folder = process.env.SKILLGATE_SUITE_WORDS!; // without it this project is not there
    for (const file of readdirSync(folder)) {
      const kind = file.startsWith('lines-') ? 'lines' : 'spans';
      for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
        counted[kind] += 1;
        const service = /"service":"([\w-]+)"/.exec(line)?.[1] ?? 'nobody';
        services[kind].add(service);
        for (const what of secretsIn(line)) found[kind].push(`${what}, by ${service}: ${sayingOf(line)}`);
      }
    }
  }, 300_000);

  it('are there: of every service, by the thousand', () => {
    const all = ['accounts', 'artifacts', 'catalog', 'docs', 'gateway', 'orchestrator', 'registry'];
    for (const kind of ['lines', 'spans'] as const) {
      expect([...services[kind]]).toEqual(expect.arrayContaining(all));
      expect(counted[kind]).toBeGreaterThan(1_000);
    }
  });

  it.each(['lines', 'spans'] as const)('hold no secret: %s', (kind) => {
    expect([...new Set(found[kind])].slice(0, 20)).toEqual([]);
  });
});

/** What was said, for finding the place in the code; as far as it holds no secret itself. */
function sayingOf(line: string): string {
  const said = /"(?:msg|name)":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '?';
  return secretsIn(said).length > 0 ? '(the secret stands in its very message)' : said.slice(0, 200);
}
