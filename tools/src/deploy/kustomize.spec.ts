import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@skillgate/service-kit/config';
import { houseEdges, stores } from '@skillgate/standalone/house-services';
import { passwordVariable } from '@skillgate/wire/permissions';
import { parseEnv } from 'node:util';
import { newEnvironment } from './environment.js';
import { environmentOf, hasKubectl, renderLocal, type Resource } from './kustomize.fixture.js';
import { deployed, ownSecrets } from './services.fixture.js';

const missing = 'SKIPPED: kubectl is not on the PATH, so the Kustomize tree is not checked here';
if (!hasKubectl) process.stderr.write(`${missing}\n`); // a skipped test alone says nothing of its reason

(hasKubectl ? describe : describe.skip)(hasKubectl ? 'the local overlay' : missing, () => {
  let environment: string;
  let resources: Resource[];
  beforeAll(async () => {
    environment = await newEnvironment();
    resources = renderLocal(environment);
  });

  const named = (kind: string, name: string) => resources.find((each) => each.kind === kind && each.metadata.name === name);
  const podOf = (kind: string, name: string) => {
    const pod = named(kind, name)?.spec?.template?.spec;
    if (!pod) throw new Error(`there is no ${kind} ${name}`);
    return pod;
  };
  const pods = () => resources.flatMap(({ kind, metadata, spec }) => (spec?.template ? [{ what: `${kind} ${metadata.name}`, pod: spec.template.spec }] : []));

  it.each(deployed)('runs $app with every variable that it reads and no secret of another', ({ app, definition }) => {
    const [container, ...others] = podOf('Deployment', app).containers;
    expect(others).toEqual([]);
    expect(container?.image).toBe(`skillgate/${app}`);
    const env = environmentOf(container!, resources);
    expect(() => readConfig(definition.name, definition.config, env)).not.toThrow();
    const own = parseEnv(environment);
    const suffix = `_${definition.name.toUpperCase().replaceAll('-', '_')}`;
    const keys = Object.keys(own).filter((key) => Object.values(env).includes(own[key] ?? ''));
    expect(keys.filter((key) => !key.endsWith(suffix) && !ownSecrets[app]?.includes(key))).toEqual([]);
    expect(env.SKILLGATE_NATS_PASSWORD).toBe(own[passwordVariable(definition.name)]);
  });

  it.each(deployed)('asks $app for its health, and gives it more time to end than it takes', ({ app, definition }) => {
    const pod = podOf('Deployment', app);
    const [container] = pod.containers;
    const config = readConfig(definition.name, definition.config, environmentOf(container!, resources));
    expect(container).toMatchObject({
      readinessProbe: { httpGet: { path: '/health/ready', port: 'health' } },
      livenessProbe: { httpGet: { path: '/health/live', port: 'health' } },
      resources: { requests: expect.anything(), limits: expect.anything() },
    });
    expect(container?.ports).toContainEqual({ name: 'health', containerPort: config.SKILLGATE_HEALTH_PORT });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(config.SKILLGATE_DRAIN_MS / 1000);
    expect(config.SKILLGATE_HTTP_HOST).toBe('0.0.0.0');
    expect(pod.serviceAccountName).toBe(app);
    expect(named('ServiceAccount', app)).toBeDefined();
  });

  it('lets no pod be root, gain rights, write to its image or talk to the cluster', () => {
    expect(pods().length).toBeGreaterThanOrEqual(deployed.length + 4); // NATS, PostgreSQL, the stand-in, the migrations
    for (const { what, pod } of pods()) {
      expect({ what, pod }).toMatchObject({
        what,
        pod: { automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } },
      });
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
        const { name, securityContext } = container;
        const locked = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
        expect({ what, name, securityContext }).toEqual({ what, name, securityContext: locked });
      }
    }
  });

  it('selects by the name of each workload, so that no two share their pods', () => {
    const selectors = resources.flatMap(({ kind, spec }) => (kind === 'Deployment' || kind === 'StatefulSet' ? [JSON.stringify(spec?.selector?.matchLabels)] : []));
    expect(selectors.every((selector) => selector?.includes('app.kubernetes.io/name'))).toBe(true);
    expect(new Set(selectors).size).toBe(selectors.length);
  });

  it('gives NATS a password for each user and the committed permissions', () => {
    const [nats] = podOf('StatefulSet', 'nats').containers;
    expect(Object.keys(environmentOf(nats!, resources)).sort()).toEqual(houseEdges.map(({ service }) => passwordVariable(service)).sort());
    const config = resources.find(({ kind, data }) => kind === 'ConfigMap' && data?.['nats.conf']);
    expect(config?.data?.['nats.conf']).toContain('user: "accounts", password: $SKILLGATE_NATS_PASSWORD_ACCOUNTS');
  });

  it('migrates every store as the administrator', () => {
    const [migrate] = podOf('Job', 'migrate').containers;
    const databases = stores.map(({ schema }) => `SKILLGATE_DATABASE_URL_${schema.toUpperCase()}`);
    expect(Object.keys(environmentOf(migrate!, resources)).sort()).toEqual(['SKILLGATE_DATABASE_ADMIN_URL', ...databases].sort());
  });

  it('cannot be rendered without secrets of its own', () => {
    expect(() => renderLocal()).toThrow('secrets.env');
  });

  it('takes a real model from the secrets', () => {
    const rendered = renderLocal(`${environment}\nSKILLGATE_MODEL_BASE_URL=https://models.example.com/v1\n`);
    const container = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'orchestrator')?.spec?.template?.spec.containers[0];
    expect(environmentOf(container!, rendered)).toMatchObject({ SKILLGATE_MODEL_BASE_URL: 'https://models.example.com/v1' });
  });
});
