import { runService } from '@skillgate/service-kit/run';
import { orchestratorService } from './orchestrator.service-definition.js';

await runService(orchestratorService);
