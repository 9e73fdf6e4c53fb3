import { z } from 'zod';

/** The outside systems that every house knows. An installation adds others in its provider table; a name beyond both is a spelling mistake. */
export const integrationNames = [
  'gmail',
  'drive',
  'calendar',
  'outlook',
  'onedrive',
  'ms_calendar',
  'notion',
  'apple_calendar',
  'cloze',
  'slack',
] as const;

/** How an outside system may be called. */
export const integrationName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'is no name: lower-case letters, digits and _, at most 64');
