import { runService } from '@skillgate/service-kit/run';
import { accountsService } from './accounts.service-definition.js';

await runService(accountsService);
