import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exampleEnvironment, newEnvironment } from './environment.js';

const usage = `deploy/make-env FILE      a new installation's secrets, for its owner alone; an existing file stays as it is
deploy/make-env           prints them
deploy/make-env --example prints the names only (.env.example)`;

const [to, ...more] = process.argv.slice(2);
if (more.length > 0 || (to?.startsWith('-') && to !== '--example')) {
  console.error(usage);
  process.exit(64); // EX_USAGE
}
if (to === undefined || to === '--example') {
  process.stdout.write(to ? await exampleEnvironment() : await newEnvironment());
} else {
  try {
    // Never over an existing file: databases and brokers that run already know its passwords.
    writeFileSync(resolve(process.env.SKILLGATE_CALLED_FROM ?? '.', to), await newEnvironment(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    console.error(exists ? `${to} is there already and stays as it is; move it away for new secrets` : (error as Error).message);
    process.exit(73); // EX_CANTCREAT
  }
}
