import { runService } from '@skillgate/service-kit/run';
import { catalogService } from './catalog.service-definition.js';

await runService(catalogService);
