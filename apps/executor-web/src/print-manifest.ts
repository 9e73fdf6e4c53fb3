import { printManifest } from '@skillgate/executor-kit/manifest';
import { webExecutor } from './web-executor.js';

// Writes what the operator approves: redirect it to `manifest.json`.
process.stdout.write(printManifest(webExecutor));
