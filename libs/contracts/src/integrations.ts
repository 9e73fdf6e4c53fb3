/** The outside systems that an account can connect; a name beyond these is a spelling mistake. */
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

export type IntegrationName = (typeof integrationNames)[number];

export const isIntegrationName = (name: string): name is IntegrationName => (integrationNames as readonly string[]).includes(name);
