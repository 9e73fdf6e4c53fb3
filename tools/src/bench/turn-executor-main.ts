import { executorService } from '@skillgate/executor-kit/serve-executor';
import { runService } from '@skillgate/service-kit/run';
import { turnExecutor } from './turn-executor.js';

await runService(executorService(turnExecutor));
