import { freePort } from '@skillgate/backing/free-port';
import { type LocalNats, startNats } from '@skillgate/backing/nats';
import { type LocalPostgres, startPostgres } from '@skillgate/backing/postgres';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { executorService } from '@skillgate/executor-kit/serve-executor';
import { bootService } from '@skillgate/service-kit/boot';
import { HouseOperator } from '@skillgate/standalone/greet-house';
import { houseEnvironment } from '@skillgate/standalone/house-environment';
import { makeSecrets, newPassword } from '@skillgate/standalone/house-secrets';
import { houseEdges, platformServices } from '@skillgate/standalone/house-services';
import { migrateHouse } from '@skillgate/standalone/migrate-house';
import { natsConfig } from '@skillgate/wire/permissions';
import { createWriteStream, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrashExecutor, crashExecutor } from './crash-executor.js';
import { crashModel, startCrashModel } from './crash-model.js';

export interface CrashHouse {
  /** The gateway's. */
  readonly url: string;
  readonly key: string;
  readonly nats: LocalNats;
  readonly postgres: LocalPostgres;
  readonly databaseUrl: string;
  readonly executor: CrashExecutor;
  /** Variables of an orchestrator of this house. */
  readonly env: NodeJS.ProcessEnv;
  /** Holds the logs. */
  readonly folder: string;
  stop(): Promise<void>;
}

const skill = `---
name: crash-work
description: Does the work of the crash bench. Use it for every turn of the bench, and for nothing else.
metadata:
  skillgate.title: Crash work
  skillgate.version: "1.0.0"
  skillgate.default: available
  skillgate.capabilities: tools
  skillgate.profiles: crash
  skillgate.tools: crash_read, crash_send
---

# Crash work

Read with \`crash_read\`, then send with \`crash_send\`, once, then answer. A send of which nobody knows whether it happened is not made again.
`;

const profiles = `profiles:
  - name: crash
    title: The work of the crash bench
    capability: tools
    groups:
      - tools: [crash_read, crash_send]
`;

/** Every service of the house but the orchestrator, in this process, with an executor and a model of the bench. */
export async function startCrashHouse(tell: (line: string) => void): Promise<CrashHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'skillgate-crash-'));
  mkdirSync(join(folder, 'skills/crash-work'), { recursive: true });
  writeFileSync(join(folder, 'skills/crash-work/SKILL.md'), skill);
  writeFileSync(join(folder, 'profiles.yaml'), profiles);
  const ends: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await Promise.resolve(end()).catch((error: unknown) => tell(`the end of the house: ${String(error)}`));
  };
  try {
    const secrets = await makeSecrets();
    secrets.nats.crash = newPassword();
    const edges = [...houseEdges, executorEdges('crash')];
    const [nats, postgres, model] = await Promise.all([
      startNats({ config: (port, storeDir) => natsConfig(edges, secrets.nats, { port, storeDir }) }),
      startPostgres(),
      startCrashModel(),
    ]);
    ends.push(() => model.stop(), () => postgres.stop(), () => nats.stop());
    const databaseUrl = await postgres.createDatabase('skillgate');
    await migrateHouse(databaseUrl, (schema) => secrets.databases[schema] ?? '');
    const executor = await crashExecutor(await postgres.createDatabase('outside'));
    ends.push(() => executor.close());
    const env = {
      ...process.env,
      ...houseEnvironment(secrets, { natsUrl: nats.url, databaseUrl, modelUrl: model.url, httpPort: await freePort() }),
      SKILLGATE_SKILLS_DIR: join(folder, 'skills'),
      SKILLGATE_PROFILES_FILE: join(folder, 'profiles.yaml'),
      SKILLGATE_MODEL: crashModel,
      // Readers of the bench stay through every restart.
      SKILLGATE_STREAM_LOST_MS: '120000',
    };
    const logTo = createWriteStream(join(folder, 'house.log'));
    const definitions = [...platformServices.filter(({ name }) => name !== 'orchestrator'), executorService(executor.executor)];
    let url = '';
    for (const definition of definitions) {
      const service = await bootService(definition, env, { logTo });
      ends.push(() => service.stop(5_000));
      url = service.url ?? url;
    }
    const operator = new HouseOperator(url, secrets, () => undefined);
    await operator.approve(['crash']);
    const { pro } = await operator.keys();
    return { url, key: pro, nats, postgres, databaseUrl, executor, env, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
