import { ownName } from '@skillgate/service-kit/config';
import { migrateHouse } from './migrate-house.js';

/**
 * The one-shot that runs before a new version of the services. `SKILLGATE_DATABASE_ADMIN_URL` says where and as whom; a
 * service's role gets the password that stands in the service's own `SKILLGATE_DATABASE_URL_<SERVICE>`.
 */
const need = (name: string): string => {
  const value = process.env[name];
  if (value && URL.canParse(value)) return value;
  console.error(`migrate cannot start: ${name} ${value ? 'is no URL' : 'is not set'}; for example ${name}=postgres://postgres:PASSWORD@127.0.0.1:5432/skillgate`);
  process.exit(78); // EX_CONFIG, as the services do
};

const passwordOf = (schema: string): string => decodeURIComponent(new URL(need(ownName('SKILLGATE_DATABASE_URL', schema))).password);

const ran = await migrateHouse(need('SKILLGATE_DATABASE_ADMIN_URL'), passwordOf);
console.log(ran.length === 0 ? 'every schema is up to date' : `migrated:\n  ${ran.join('\n  ')}`);
