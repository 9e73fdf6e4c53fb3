import type { Event } from '@skillgate/contracts/define-event';

/** Name of the consumer by which a service hears an event: a token of subjects, and of its permissions. */
export const durableName = (service: string, { subject }: Event): string => `${service}__${subject.split('.')[3]}`;
