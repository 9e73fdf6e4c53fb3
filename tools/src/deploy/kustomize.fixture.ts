import { root } from '@skillgate/standalone/run-from-source';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}

export interface PodContainer {
  name: string;
  image: string;
  env?: EnvVar[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: { httpGet?: { path: string; port: string } };
  livenessProbe?: { httpGet?: { path: string; port: string } };
  securityContext?: { readOnlyRootFilesystem?: boolean; allowPrivilegeEscalation?: boolean; capabilities?: { drop?: string[] } };
  resources?: { requests?: object; limits?: object };
}

export interface Resource {
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: {
    selector?: { matchLabels?: Record<string, string> };
    template?: {
      metadata?: { labels?: Record<string, string> };
      spec: {
        serviceAccountName?: string;
        terminationGracePeriodSeconds?: number;
        securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } };
        containers: PodContainer[];
        initContainers?: PodContainer[];
      };
    };
  };
}

export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** Renders the local overlay in a copy of `deploy/`, with `secrets.env` as given. @throws with the words of kubectl */
export function renderLocal(secrets?: string): Resource[] {
  const copy = mkdtempSync(join(tmpdir(), 'skillgate-deploy-'));
  try {
    cpSync(join(root, 'deploy'), copy, { recursive: true, filter: (path) => !path.endsWith('.env') });
    if (secrets !== undefined) writeFileSync(join(copy, 'overlays/local/secrets.env'), secrets);
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(copy, 'overlays/local')], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** What the kubelet would put into a container. @throws for a reference to something that is not there */
export function environmentOf(container: PodContainer, resources: readonly Resource[]): Record<string, string> {
  const dataOf = (kind: string, name: string) => {
    const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found.data ?? {};
  };
  const env: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) Object.assign(env, dataOf('ConfigMap', configMapRef.name));
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (!valueFrom) {
      env[name] = value ?? '';
      continue;
    }
    const { name: secret, key, optional } = valueFrom.secretKeyRef;
    const encoded = dataOf('Secret', secret)[key];
    if (encoded !== undefined) env[name] = Buffer.from(encoded, 'base64').toString();
    else if (!optional) throw new Error(`Secret ${secret} has no ${key}`);
  }
  return env;
}
