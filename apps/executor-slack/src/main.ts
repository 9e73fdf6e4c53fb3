import { executorService } from '@skillgate/executor-kit/serve-executor';
import { runService } from '@skillgate/service-kit/run';
import { slackAddress } from './slack-address.js';
import { slackExecutor } from './slack-executor.js';

slackAddress(); // a bad address ends the process now, and not each call later
await runService(executorService(slackExecutor));
