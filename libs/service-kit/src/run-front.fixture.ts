import { runService } from './run.js';
import { front } from './spec-house.fixture.js';

await runService(front);
