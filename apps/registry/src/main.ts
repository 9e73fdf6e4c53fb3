import { runService } from '@skillgate/service-kit/run';
import { registryService } from './registry.service-definition.js';

await runService(registryService);
