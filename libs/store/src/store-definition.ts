import type { DataSourceOptions, EntitySchema, MigrationInterface } from 'typeorm';

/** What a service tells the house about its tables; each app exports one from `src/store-definition.ts`. */
export interface StoreDefinition {
  /** Also the name of the service's database user. Lower-case letters, digits, underscore. */
  readonly schema: string;
  /** TypeORM migration classes, oldest first. TypeORM wants their names to end in 13 digits (milliseconds). */
  readonly migrations: readonly (new () => MigrationInterface)[];
  readonly entities: readonly ((abstract new (...args: never[]) => object) | EntitySchema)[];
}

/** The options that `openStore`, `storeModule` and `migrateService` have in common. */
export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;
