import { Controller, Inject } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Serves } from '@skillgate/wire/serve';
import { bootService, defineService } from './boot.js';
import { makeLog } from './log.js';
import { stopOnSignals } from './signals.js';
import { back, front, greet, spill, wait } from './spec-house.fixture.js';
import { databaseUrlVariable } from './variables.js';

/** Both services of the spec's house in one process, `back` with a database. Prints its address as its first line. */

const STORE = Symbol('store');

@Controller()
class StoredGreetings {
  constructor(@Inject(STORE) private readonly store: DataSource) {}

  @Serves(greet)
  async greet({ name }: { name: string }) {
    const [row] = await this.store.query<{ text: string }[]>('SELECT $1::text AS text', [name]);
    return { text: row!.text, service: 'back' };
  }
}

const storedBack = defineService({
  ...back,
  edges: { ...back.edges, serves: [greet], hears: [] },
  config: z.object({ SKILLGATE_DATABASE_URL: databaseUrlVariable }),
  http: undefined,
  module: async (kit) => {
    const store = new DataSource({ type: 'postgres', url: kit.config.SKILLGATE_DATABASE_URL });
    await store.initialize();
    await store.query('SELECT 1');
    kit.health.add('database', async () => void (await store.query('SELECT 1')));
    return { module: class StoredBackModule {}, controllers: [StoredGreetings], providers: [{ provide: STORE, useValue: store }] };
  },
});

const running = [await bootService(storedBack), await bootService({ ...front, edges: { ...front.edges, calls: [greet, wait, spill] } })];
stopOnSignals(makeLog('house', 'info'), async () => {
  for (const service of running.reverse()) await service.stop();
});
process.stdout.write(`${running[1]!.url}\n`);
