import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { metrics } from '@opentelemetry/api';
import { DataSource } from 'typeorm';
import { observePool } from './observe-pool.js';
import { identifier } from './sql-names.js';
import type { PostgresOptions, StoreDefinition } from './store-definition.js';

export interface StoreOptions extends Pick<StoreDefinition, 'schema' | 'entities'> {
  /** `postgres://<service role>:<password>@host:port/database` */
  url: string;
  pool?: PoolLimits;
  /** Hears of idle connections that broke, as when the database restarts; the pool replaces them. Default: standard error. */
  onIdleError?: (error: Error) => void;
}

export interface PoolLimits {
  /** Connections. Default 10. */
  max?: number;
  /** Milliseconds that a query waits for a free connection before `database-busy`. Default 5,000. */
  acquireTimeoutMs?: number;
  /** Milliseconds that a transaction may do nothing before the server ends it. Default 30,000. */
  idleInTransactionMs?: number;
}

/** TypeORM options for a service's own schema. No `synchronize`, ever: migrations are run by `migrateService`. */
export function storeOptions(options: StoreOptions): PostgresOptions {
  const { max = 10, acquireTimeoutMs = 5_000, idleInTransactionMs = 30_000 } = options.pool ?? {};
  const schema = options.schema;
  identifier(schema); // it goes into the connection's start-up options unquoted
  return {
    type: 'postgres',
    url: options.url,
    schema,
    entities: [...options.entities],
    applicationName: schema,
    poolSize: max,
    connectTimeoutMS: acquireTimeoutMs,
    logger: 'debug', // the default may write to standard output, which belongs to the service's log
    installExtensions: false, // uuids come from crypto.randomUUID(), and a service may not install anything
    poolErrorHandler:
      options.onIdleError ?? ((error: Error) => process.stderr.write(`${schema}: idle connection lost, ${error.message}\n`)),
    // Statements that are asked for at once go out at once: what does not depend on the one before it need not wait for its answer.
    extra: { pipeline: true, options: `-c search_path=${schema} -c idle_in_transaction_session_timeout=${idleInTransactionMs}` },
  };
}

/** A connected data source. The caller ends it with `destroy()`. @throws when the database does not answer in time */
export const openStore = async (options: StoreOptions): Promise<DataSource> => new DataSource(storeOptions(options)).initialize();

/** The same for Nest: provides `DataSource`, tells metrics of the pool, and closes it when the application shuts down. */
export function storeModule(options: StoreOptions): DynamicModule {
  const meter = metrics.getMeter('skillgate-store'); // here, where the service that asks is known
  return TypeOrmModule.forRootAsync({
    useFactory: () => ({ ...storeOptions(options), retryAttempts: 10, retryDelay: 1_000 }),
    dataSourceFactory: async (wanted) => {
      const dataSource = await new DataSource(wanted!).initialize();
      observePool(meter, options.schema, dataSource);
      return dataSource;
    },
  });
}
