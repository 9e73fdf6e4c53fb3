import { describe, expect, it } from '@jest/globals';
import { findNatsServer } from '@skillgate/backing/nats-binary';
import { root } from '@skillgate/standalone/run-from-source';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { newEnvironment } from './environment.js';
import { containerNatsConfig } from './nats-config.js';

const file = join(root, 'deploy/nats/nats.conf');
const check = (env: NodeJS.Dict<string>) => spawnSync(findNatsServer(), ['-t', '-c', file], { env, encoding: 'utf8' });

describe('deploy/nats/nats.conf', () => {
  it("says what the services' edges say (else: deploy/make-nats-config)", () => {
    expect(readFileSync(file, 'utf8')).toBe(containerNatsConfig());
  });

  it('lets executors in that do not come with the house, and none that would take the place of a service', () => {
    const config = containerNatsConfig(['weather']);
    expect(config).toContain('user: "weather", password: $SKILLGATE_NATS_PASSWORD_WEATHER');
    expect(config).toContain('"tool.v1.weather.*"');
    expect(() => containerNatsConfig(['registry'])).toThrow('"registry" is part of the house');
  });

  it('is accepted by the server with the passwords of deploy/make-env', async () => {
    const { status, stderr } = check(parseEnv(await newEnvironment()));
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('is valid') });
  });

  it('is refused without them: no user is ever without a password', () => {
    const { status, stderr } = check({});
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('SKILLGATE_NATS_PASSWORD_ACCOUNTS') });
  });
});
