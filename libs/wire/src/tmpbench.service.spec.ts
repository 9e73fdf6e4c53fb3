import { it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { askerEdges, greet, startHouse, tellerEdges } from '../spec-support/house.js';
import { Serves } from './serve.js';
import { WireStrategy } from './strategy.js';
@Controller()
class T { @Serves(greet) async greet({ name }: { name: string }) { return { greeting: name }; } }
it('bench', async () => {
  const house = await startHouse([tellerEdges, askerEdges]);
  const [teller, asker, rawT, rawA] = [await house.wire('teller'), await house.wire('asker'), await house.raw('teller'), await house.raw('asker')];
  const time = async (f: () => Promise<unknown>, n = 4000) => { for (let i = 0; i < 2000; i++) await f(); const t: number[] = []; for (let i = 0; i < n; i++) { const b = process.hrtime.bigint(); await f(); t.push(Number(process.hrtime.bigint() - b) / 1e6); } t.sort((a, b) => a - b); return `p50 ${t[n >> 1]!.toFixed(3)} p95 ${t[Math.floor(n * 0.95)]!.toFixed(3)}`; };
  const sub = rawT.subscribe(greet.subject, { callback: (_e, m) => void m.respond(JSON.stringify({ ok: { greeting: (m.json() as any).name } })) });
  await rawT.flush();
  const raw = () => rawA.request(greet.subject, JSON.stringify({ name: 'Ada' }), { timeout: 1000 }).then((m) => m.json());
  const wire = () => asker.call(greet, { name: 'Ada' });
  console.log('raw', await time(raw)); sub.unsubscribe(); await rawT.flush();
  const h = teller.serve(greet, async ({ name }) => ({ greeting: name })); await h.ready;
  console.log('wire', await time(wire)); h.close(); await new Promise((r) => setTimeout(r, 50));
  class M {}
  const app = await NestFactory.createMicroservice({ module: M, controllers: [T] }, { strategy: new WireStrategy(teller), logger: false });
  await app.listen();
  console.log('nest', await time(wire)); await app.close();
  const sub2 = rawT.subscribe(greet.subject, { callback: (_e, m) => void m.respond(JSON.stringify({ ok: { greeting: (m.json() as any).name } })) });
  await rawT.flush();
  console.log('raw', await time(raw)); sub2.unsubscribe();
  await house.stop();
}, 60000);
