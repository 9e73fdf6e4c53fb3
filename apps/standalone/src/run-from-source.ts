import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The checkout. */
export const root = join(import.meta.dirname, '../../..');

/** What node needs to run a `.ts` file of this checkout. */
export const sourceFlags = [
  '--enable-source-maps',
  '--conditions=@skillgate/source',
  '--import',
  pathToFileURL(join(root, 'tools/register.mjs')).href,
];
