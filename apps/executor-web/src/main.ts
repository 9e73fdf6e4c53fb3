import { executorService } from '@skillgate/executor-kit/serve-executor';
import { runService } from '@skillgate/service-kit/run';
import { webExecutor } from './web-executor.js';

await runService(executorService(webExecutor));
