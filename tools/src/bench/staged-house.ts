import { freePort } from '@skillgate/backing/free-port';
import { type LocalNats, startNats } from '@skillgate/backing/nats';
import { type LocalPostgres, startPostgres } from '@skillgate/backing/postgres';
import { executorEdges } from '@skillgate/contracts/services/executor';
import type { Executor } from '@skillgate/executor-kit/define-executor';
import { HouseOperator } from '@skillgate/standalone/greet-house';
import { houseEnvironment } from '@skillgate/standalone/house-environment';
import { makeSecrets, newPassword } from '@skillgate/standalone/house-secrets';
import { houseEdges } from '@skillgate/standalone/house-services';
import { migrateHouse } from '@skillgate/standalone/migrate-house';
import { root } from '@skillgate/standalone/run-from-source';
import { untilReady } from '@skillgate/standalone/until-ready';
import { natsConfig } from '@skillgate/wire/permissions';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is played in a house that is measured: the library of this tree, and beside it skills and tools of the measure's own. */
export interface Stage {
  readonly executor: Executor;
  /** SKILL.md by slug. */
  readonly skills: Readonly<Record<string, string>>;
  /** Entries of `profiles.yaml`, indented as there. */
  readonly profiles: string;
  readonly modelUrl: string;
  readonly env: NodeJS.ProcessEnv;
  /** False: fsync is off, where time is not measured. */
  readonly durable: boolean;
}

export interface StagedHouse {
  readonly url: string;
  /** A key of another account of tier `pro`. */
  newKey(): Promise<string>;
  readonly nats: LocalNats;
  readonly postgres: LocalPostgres;
  readonly databaseUrl: string;
  /** Holds the logs. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts the services with these variables, logging to this file; answers with what stops them. */
type StartServices = (env: NodeJS.ProcessEnv, logFile: string) => Promise<() => Promise<void>>;

/** A house with servers of its own, every service ready, all tools approved. */
export async function startStagedHouse(stage: Stage, services: StartServices): Promise<StagedHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'skillgate-stage-'));
  const ends: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const { name } = stage.executor;
    const secrets = await makeSecrets();
    secrets.nats[name] = newPassword();
    const edges = [...houseEdges, executorEdges(name)];
    // A user without limits stands for the bare client that a bench compares with; it exists in this configuration alone.
    const config = (port: number, storeDir: string) =>
      natsConfig(edges, secrets.nats, { port, storeDir }).replace('users: [', 'users: [\n    { user: "bare", password: "bare" }');
    const [nats, postgres] = await Promise.all([startNats({ config }), startPostgres({ durable: stage.durable })]);
    ends.push(() => Promise.all([postgres.stop(), nats.stop()]));
    const databaseUrl = await postgres.createDatabase('skillgate');
    await migrateHouse(databaseUrl, (schema) => secrets.databases[schema] ?? '');
    const httpPort = await freePort();
    const env = {
      ...houseEnvironment(secrets, { natsUrl: nats.url, databaseUrl, modelUrl: stage.modelUrl, httpPort }),
      ...writeLibrary(folder, stage),
      ...stage.env,
    };
    ends.push(await services({ ...process.env, ...env }, join(folder, 'house.log')));
    const url = `http://127.0.0.1:${httpPort}`;
    await untilReady(url);
    const operator = new HouseOperator(url, secrets, () => undefined);
    await operator.approve([name, 'docs']);
    const newKey = async () => {
      secrets.accountKeys = {}; // those that it knows are not made again
      return (await operator.keys()).pro;
    };
    return { url, newKey, nats, postgres, databaseUrl, folder, stop };
  } catch (error) {
    await stop().catch(() => undefined); // the first error is the one to tell
    throw error;
  }
}

function writeLibrary(folder: string, { skills, profiles }: Stage): NodeJS.ProcessEnv {
  const library = join(folder, 'skills');
  cpSync(join(root, 'skills'), library, { recursive: true });
  for (const [slug, text] of Object.entries(skills)) {
    mkdirSync(join(library, slug));
    writeFileSync(join(library, slug, 'SKILL.md'), text);
  }
  const profilesFile = join(folder, 'profiles.yaml');
  writeFileSync(profilesFile, `${readFileSync(join(root, 'apps/registry/profiles.yaml'), 'utf8')}\n${profiles}`);
  return { SKILLGATE_SKILLS_DIR: library, SKILLGATE_PROFILES_FILE: profilesFile };
}
