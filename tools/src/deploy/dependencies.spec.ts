import { describe, expect, it } from '@jest/globals';
import { root } from '@skillgate/standalone/run-from-source';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployed } from './services.fixture.js';
import { importsFrom } from './walk-imports.fixture.js';

const declaredBy = (room: string): Record<string, string> =>
  (JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> }).dependencies ?? {};

// In the checkout every package finds every other; in an image only those are there that were declared.
describe('the packages of an image', () => {
  it('are found on the way from a main file through every room', () => {
    expect(importsFrom(join(root, 'apps/gateway/src/main.ts'))).toContainEqual({ room: 'libs/wire', name: '@nats-io/transport-node' });
  });

  it.each([...deployed.map(({ app }) => `${app}/src/main.ts`), 'offline-model/src/main.ts', 'standalone/src/migrate-main.ts'])('are all that %s loads', (entry) => {
    const imports = importsFrom(join(root, 'apps', entry));
    const undeclared = imports.filter(({ room, name }) => room.split('/')[1] !== name.replace('@skillgate/', '') && !(name in declaredBy(room)));
    expect(undeclared.map(({ room, name }) => `${room}/package.json lacks ${name}`)).toEqual([]);
  });
});
