import { describe, expect, it } from '@jest/globals';
import { readConfig } from '@skillgate/service-kit/config';
import { houseEdges, stores } from '@skillgate/standalone/house-services';
import { passwordVariable } from '@skillgate/wire/permissions';
import { parseEnv } from 'node:util';
import { type Container, containers, environmentOf } from './compose.fixture.js';
import { newEnvironment } from './environment.js';
import { deployed, ownSecrets } from './services.fixture.js';

const dotenv = parseEnv(await newEnvironment());
const container = (name: string): Container => containers[name] ?? { environment: {} };
const isSecret = (name: string) => Object.hasOwn(dotenv, name);

describe('the compose file', () => {
  it.each(deployed)('starts $app from its own image, with every variable that it reads', ({ app, definition }) => {
    expect(container(app)).toMatchObject({ image: `skillgate/${app}`, build: { args: { APP: app } }, read_only: true, cap_drop: ['ALL'] });
    const config = readConfig(definition.name, definition.config, environmentOf(container(app), dotenv));
    expect(config.SKILLGATE_HEALTH_PORT).toBe(8081);
    expect(Number.parseInt(container(app).stop_grace_period ?? '0') * 1000).toBeGreaterThan(config.SKILLGATE_DRAIN_MS + 5_000);
    expect(container(app).depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' }, nats: { condition: 'service_healthy' } });
  });

  it.each(deployed)('gives $app no secret of another', ({ app, definition }) => {
    const own = definition.name.toUpperCase().replaceAll('-', '_');
    const mine = Object.keys(container(app).environment ?? {}).filter(isSecret);
    expect(mine.filter((name) => !name.endsWith(`_${own}`) && !ownSecrets[app]?.includes(name))).toEqual([]);
  });

  it('gives the broker every password and the migrations every database', () => {
    expect(Object.keys(container('nats').environment ?? {}).sort()).toEqual(houseEdges.map(({ service }) => passwordVariable(service)).sort());
    const databases = stores.map(({ schema }) => `SKILLGATE_DATABASE_URL_${schema.toUpperCase()}`);
    expect(Object.keys(container('migrate').environment ?? {}).sort()).toEqual(['SKILLGATE_DATABASE_ADMIN_URL', ...databases].sort());
  });

  it('opens the gateway and the pages of Jaeger and Prometheus, to this machine alone', () => {
    const open = Object.entries(containers).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(open).toEqual(['gateway 127.0.0.1:${SKILLGATE_PORT:-8080}:8080', 'jaeger 127.0.0.1:16686:16686', 'prometheus 127.0.0.1:9090:9090']);
  });

  it('says what to do when there is no .env', () => {
    expect(() => Object.values(containers).map((each) => environmentOf(each, {}))).toThrow('first run deploy/make-env .env');
  });

  it('lets .env name a real model', () => {
    const named = { ...dotenv, SKILLGATE_MODEL_BASE_URL: 'https://models.example.com/v1', SKILLGATE_MODEL: 'big' };
    expect(environmentOf(container('orchestrator'), named)).toMatchObject({ SKILLGATE_MODEL_BASE_URL: 'https://models.example.com/v1', SKILLGATE_MODEL: 'big' });
  });
});
