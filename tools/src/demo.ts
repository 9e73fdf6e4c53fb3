import { type LocalHouse, startLocalHouse } from '@skillgate/standalone/local-house';
import { root } from '@skillgate/standalone/run-from-source';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoArguments } from './demo-arguments.js';
import { endOnSignal } from './end-on-signal.js';
import { showTurn } from './show-turn.js';
import { tour } from './tour.js';

const wanted = demoArguments(root);
const say = (line = '') => (wanted.json ? console.error(line) : console.log(line));

// A house of its own, thrown away afterwards: two demonstrations never meet, and nothing of `bin/dev` is touched.
const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-demo-'));
chmodSync(stateDir, 0o711); // the user postgres must pass
let house: LocalHouse | undefined;
const end = async () => {
  await house?.stop();
  rmSync(stateDir, { recursive: true, force: true });
};
endOnSignal(end);

try {
  house = await startLocalHouse({ stateDir, durable: false, ownTraces: true, tell: (line) => say(`  ${line}`) });
} catch (error) {
  console.error(`Skillgate did not start: ${(error as Error).message}\nWhat there is of its log: ${join(stateDir, 'house.log')}`);
  process.exit(1);
}
try {
  await (wanted.tour ? tour(house, say) : showTurn(house, wanted, say));
} catch (error) {
  console.error(`\nThe demonstration ended early: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await end();
}
