import { connectWire } from '@skillgate/wire/connect';
import { openStore } from './data-source.js';
import { OutboxRelay } from './outbox-relay.js';
import { counted } from './outbox.fixture.js';
import { publishOn } from './publish-on.js';

/** A relay in a process of its own that dies once the stream has `KILL_AFTER` events, before any of them is removed. */
const wire = await connectWire({ service: 'counters', servers: process.env.NATS_URL!, password: process.env.NATS_PASSWORD! });
const dataSource = await openStore({ schema: 'counters', entities: [], url: process.env.DATABASE_URL! });
const publish = publishOn(wire, [counted]);
let kept = 0;
const relay = new OutboxRelay({
  dataSource,
  publish: async (row) => {
    await publish(row);
    kept += 1;
    if (kept === Number(process.env.KILL_AFTER)) process.kill(process.pid, 'SIGKILL');
  },
});
relay.start();
