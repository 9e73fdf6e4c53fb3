import { executorService } from '@skillgate/executor-kit/serve-executor';
import { runService } from '@skillgate/service-kit/run';
import { docsExecutor } from './docs-executor.js';

await runService(executorService(docsExecutor));
