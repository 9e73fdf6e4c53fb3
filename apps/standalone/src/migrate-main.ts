import { migrateHouse } from './migrate-house.js';

/** The one-shot that runs before a new version of the services: `SKILLGATE_DATABASE_ADMIN_URL`, and a password for each service. */
const need = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  console.error(`migrate cannot start: ${name} is not set`);
  process.exit(78); // EX_CONFIG, as the services do
};

const ran = await migrateHouse(need('SKILLGATE_DATABASE_ADMIN_URL'), (schema) => need(`SKILLGATE_DATABASE_PASSWORD_${schema.toUpperCase()}`));
console.log(ran.length === 0 ? 'every schema is up to date' : `migrated:\n  ${ran.join('\n  ')}`);
