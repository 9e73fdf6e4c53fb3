import type { Brief } from '../compose/brief.js';

/** What there is to fill arguments with. */
export interface Stuff {
  request: string;
  /** Ids of the files that the call is about. */
  artifacts: string[];
  brief?: Brief;
  /** Where to read on in a file. */
  offset?: number;
}
