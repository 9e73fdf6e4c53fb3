import { runService } from '@skillgate/service-kit/run';
import { artifactsService } from './artifacts.service-definition.js';

await runService(artifactsService);
