import { accountsStore } from '@skillgate/accounts/store-definition';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { streamsOf } from '@skillgate/contracts/streams';
import { openStore } from '@skillgate/store/data-source';
import { enqueueAll, outgoing } from '@skillgate/store/enqueue';
import { migrateService } from '@skillgate/store/migrate';
import { OutboxRelay } from '@skillgate/store/outbox-relay';
import { publishOn } from '@skillgate/store/publish-on';
import { connectWire } from '@skillgate/wire/connect';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchPlace, Side } from './side.js';

/**
 * Rows of one transaction. One transaction at a time on either side, so that both wait for the disk alike. An event leaves in
 * the transaction of a change, which is there with or without events: both sides write between BEGIN and COMMIT.
 */
const rows = 50;

const facts = () => ({
  ...{ account: randomUUID(), tier: 'pro', capabilities: ['tools'], integrations: ['gmail', 'drive'] },
  ...{ skills: { 'briefing-memo': 'always' as const }, locks: { operator: {}, admin: {} }, policyEpoch: 7 },
});

/** Real events by way of outbox, relay and JetStream; an event counts when the broker has acknowledged it and its row is gone. */
export async function persistedEvents({ servers, passwords, databaseUrl }: BenchPlace): Promise<Side> {
  const servicePassword = 'bench';
  await migrateService({ adminUrl: databaseUrl, schema: 'accounts', ownerRole: 'accounts_owner', serviceRole: 'accounts', servicePassword, migrations: accountsStore.migrations });
  const url = new URL(databaseUrl);
  url.username = 'accounts';
  url.password = servicePassword;
  const dataSource = await openStore({ schema: 'accounts', entities: [], url: url.href });
  const wire = await connectWire({ service: 'accounts', servers, user: 'accounts', password: passwords.accounts ?? '' });
  await wire.reconcileStreams(streamsOf(accountsEdges));
  const relay = new OutboxRelay({ dataSource, publish: publishOn(wire, accountsEdges.emits) });
  relay.start();
  const write = () =>
    dataSource.transaction((sql) =>
      enqueueAll(
        sql,
        Array.from({ length: rows }, facts).map((each) => outgoing(entitlementsChanged, each, each.account)),
      ),
    );
  return {
    async run(ms) {
      const [started, before] = [Date.now(), (await relay.state()).sent];
      while (Date.now() - started < ms) await write();
      while ((await relay.state()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return { done: (await relay.state()).sent - before, ms: Date.now() - started };
    },
    async end() {
      await relay.stop();
      await wire.close();
      await dataSource.destroy();
    },
  };
}

/** The same bytes, rows and transactions with the bare client: no event leaves. */
export async function bareInserts({ databaseUrl }: BenchPlace): Promise<Side> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid, subject text, aggregate text, body text)');
  const write = async () => {
    const made = Array.from({ length: rows }, facts);
    await client.query('BEGIN');
    await client.query('INSERT INTO bare (id, subject, aggregate, body) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])', [
      made.map(() => randomUUID()),
      made.map(() => entitlementsChanged.subject),
      made.map(({ account }) => account),
      made.map((each) => JSON.stringify(each)),
    ]);
    await client.query('COMMIT');
  };
  return {
    async run(ms) {
      const started = Date.now();
      let done = 0;
      while (Date.now() - started < ms) {
        await write();
        done += rows;
      }
      return { done, ms: Date.now() - started };
    },
    end: () => client.end(),
  };
}
