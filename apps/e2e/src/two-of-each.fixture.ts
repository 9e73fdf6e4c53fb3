import { freePort } from '@skillgate/backing/free-port';
import { gatewayService } from '@skillgate/gateway/gateway.service-definition';
import { orchestratorService } from '@skillgate/orchestrator/orchestrator.service-definition';
import { bootService, type RunningService, type ServiceDefinition } from '@skillgate/service-kit/boot';
import { houseEnvironment } from '@skillgate/standalone/house-environment';
import { houseSecrets } from '@skillgate/standalone/house-secrets';
import { startLocalHouse } from '@skillgate/standalone/local-house';
import { untilReady } from '@skillgate/standalone/until-ready';
import { startScriptedModel } from '@skillgate/testing/scripted-model';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelId } from './test-house.fixture.js';

/** A house with a second gateway, and as many orchestrators more as a test starts. */
export async function startTwoOfEach(env: NodeJS.ProcessEnv = {}) {
  const model = await startScriptedModel();
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-house-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const own = { SKILLGATE_MODEL: modelId, ...env };
  const house = await startLocalHouse({ stateDir, durable: false, modelUrl: model.url, ownTraces: true, env: own });
  const { secrets } = await houseSecrets(stateDir);
  const databaseUrl = await house.postgres.createDatabase('skillgate');
  const more: RunningService[] = [];
  const boot = async (definition: unknown) => {
    const httpPort = await freePort();
    const at = houseEnvironment(secrets, { natsUrl: house.nats.url, databaseUrl, modelUrl: model.url, otlp: house.otlp, httpPort });
    const service = await bootService(definition as ServiceDefinition, { ...process.env, ...own, ...at, SKILLGATE_LOG_LEVEL: 'silent' });
    more.push(service);
    return service;
  };
  const { url = '' } = await boot(gatewayService);
  await untilReady(url);
  const headers = { authorization: `Bearer ${house.keys.pro}`, 'content-type': 'application/json' };
  return {
    house,
    model,
    gateways: [house.url, url] as const,
    /** Its `stop` is what SIGTERM does. */
    orchestrator: () => boot(orchestratorService),
    ask: (gateway: string, body: object) => fetch(`${gateway}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: modelId, stream: true, ...body }) }),
    get: (path: string) => fetch(house.url + path, { headers }),
    async stop() {
      for (const service of more.reverse()) await service.stop(2_000).catch(() => undefined); // a test may have stopped it
      await house.stop();
      await model.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
