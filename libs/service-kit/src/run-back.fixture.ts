import { runService } from './run.js';
import { back } from './spec-house.fixture.js';

await runService(back);
