import type { ConsumerStatus } from '@skillgate/wire/delivery';
import type { Verdict } from './health.js';

const patienceMs = 500; // probes commonly wait for one second

/**
 * What a service hears, for `/health/ready`. Always up: to be behind, or to wait for an emitter's stream, is no reason to
 * get no calls. The facts say how far behind, the detail what is missing.
 */
export async function eventsVerdict(wire: { consumers(): Promise<ConsumerStatus[]> }): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const consumers = await Promise.race([wire.consumers(), late]);
  clearTimeout(timer);
  if (!consumers) return { up: true, detail: `JetStream gave no word on consumers within ${patienceMs} ms` };
  const details = consumers.flatMap(({ durable, detail }) => (detail ? [`${durable}: ${detail}`] : []));
  return { up: true, facts: { consumers }, ...(details.length > 0 ? { detail: details.join('; ') } : {}) };
}
