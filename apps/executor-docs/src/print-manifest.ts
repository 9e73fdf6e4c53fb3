import { printManifest } from '@skillgate/executor-kit/manifest';
import { docsExecutor } from './docs-executor.js';

// Writes what the operator approves: redirect it to `manifest.json`.
process.stdout.write(printManifest(docsExecutor));
