import { runService } from '@skillgate/service-kit/run';
import { gatewayService } from './gateway.service-definition.js';

await runService(gatewayService);
