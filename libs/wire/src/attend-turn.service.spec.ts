import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { failure, startHouse, type TestHouse } from '../spec-support/house.js';
import type { Wire } from './wire.js';

describe('the readers of a turn', () => {
  let house: TestHouse;
  let here: Wire;
  let there: Wire;

  beforeAll(async () => {
    house = await startHouse([orchestratorEdges, gatewayEdges]);
    [here, there] = await Promise.all([house.wire('gateway'), house.wire('gateway')]);
  });
  afterAll(() => house.stop());

  it('are seen by every other instance, and told when somebody asks', async () => {
    const turn = crypto.randomUUID();
    let asked = 0;
    const presence = there.attendTurn(turn, () => (asked += 1));
    await presence.ready;
    expect(await here.isTurnAttended(turn)).toBe(true);
    expect(await there.isTurnAttended(turn)).toBe(true);
    expect(asked).toBe(2);
    presence.close();
    expect(await there.isTurnAttended(turn)).toBe(false);
  });

  it('are seen as many and as none, at once', async () => {
    const turn = crypto.randomUUID();
    const both = [here, there].map((wire) => wire.attendTurn(turn, () => undefined));
    await Promise.all(both.map(({ ready }) => ready));
    expect(await here.isTurnAttended(turn)).toBe(true);
    for (const presence of both) presence.close();
    expect(await there.isTurnAttended(turn)).toBe(false); // the other may have been leaving as it was asked
    const began = Date.now();
    expect(await here.isTurnAttended(turn)).toBe(false);
    expect(Date.now() - began).toBeLessThan(900); // the broker says it; nobody waits for a deadline
  });

  it('cannot be asked about by a service that is no gateway, nor about every turn', async () => {
    const orchestrator = await house.wire('orchestrator');
    expect(await failure(orchestrator.isTurnAttended(crypto.randomUUID()))).toMatchObject({ slug: 'not-permitted' });
    expect(await failure(here.isTurnAttended('*'))).toMatchObject({ slug: 'invalid-subject' });
  });
});
