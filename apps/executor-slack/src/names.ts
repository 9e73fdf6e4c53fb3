import type { SlackChannel, SlackUser } from './slack-answers.js';

/** As people compare names: without a leading mark, case, or a difference that cannot be seen. */
export const plainName = (name: string): string => name.trim().replace(/^[#@]/, '').normalize('NFKC').toLowerCase();

export const isChannelId = (text: string): boolean => /^[CGD][A-Z0-9]{6,20}$/.test(text);
export const isUserId = (text: string): boolean => /^[UW][A-Z0-9]{6,20}$/.test(text);
export const isEmail = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text);

/** All names under which colleagues know a person. */
export const namesOf = ({ name, real_name, profile }: SlackUser): string[] =>
  [name, profile?.display_name, profile?.real_name, real_name].filter((each): each is string => Boolean(each)).map(plainName);

/** What to call a person in a text. */
export const calledOf = (user: SlackUser): string =>
  user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || user.id || 'somebody';

/** What to call a channel in a text. */
export const channelCalled = ({ id, name, is_im }: SlackChannel): string =>
  is_im ? 'a direct message' : name ? `#${name}` : (id ?? 'a channel');
