import { printManifest } from '@skillgate/executor-kit/manifest';
import { slackExecutor } from './slack-executor.js';

// Writes what the operator approves: redirect it to `manifest.json`.
process.stdout.write(printManifest(slackExecutor));
