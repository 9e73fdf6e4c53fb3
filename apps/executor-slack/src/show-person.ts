import { z } from 'zod';
import { calledOf } from './names.js';
import type { SlackUser } from './slack-answers.js';

export const personOutput = z.object({
  id: z.string(),
  name: z.string(),
  handle: z.string(),
  full_name: z.string().optional(),
  title: z.string().optional(),
  email: z.string().optional(),
  time_zone: z.string().optional(),
  status: z.string().optional(),
  kind: z.enum(['member', 'guest', 'of another company', 'app', 'deactivated']),
});

export function showPerson(person: SlackUser, now = Date.now()): z.infer<typeof personOutput> {
  const { id = '', name = '', real_name, tz, profile = {} } = person;
  const { title, email, status_text, status_emoji, status_expiration = 0 } = profile;
  const current = status_expiration === 0 || status_expiration * 1000 > now;
  const status = current ? [status_emoji, status_text].filter(Boolean).join(' ') : '';
  const full = profile.real_name || real_name;
  return {
    ...{ id, name: calledOf(person), handle: `@${name}`, kind: kindOf(person) },
    ...(full && { full_name: full }),
    ...(title && { title }),
    ...(email && { email }),
    ...(tz && { time_zone: tz }),
    ...(status && { status }),
  };
}

function kindOf({ deleted, is_bot, is_stranger, is_restricted }: SlackUser): z.infer<typeof personOutput>['kind'] {
  if (deleted) return 'deactivated';
  if (is_bot) return 'app';
  if (is_stranger) return 'of another company';
  return is_restricted ? 'guest' : 'member';
}
