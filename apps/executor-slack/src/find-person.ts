import { refuse } from '@skillgate/contracts/refusal';
import { calledOf, isEmail, isUserId, namesOf, plainName } from './names.js';
import type { Slack } from './open-slack.js';
import type { SlackUser } from './slack-answers.js';
import { type Listing, walkPages } from './walk-pages.js';

export const peopleListing: Listing<SlackUser> = {
  method: 'users.list',
  args: {},
  itemsOf: ({ members = [] }: { members?: SlackUser[] }) => members.filter(({ deleted }) => !deleted).map(slimPerson),
};

/** Pictures and settings are most of what Slack sends of a person. */
function slimPerson({
  id,
  name,
  real_name,
  deleted,
  is_bot,
  is_restricted,
  is_stranger,
  tz,
  tz_label,
  profile = {},
}: SlackUser): SlackUser {
  const { display_name, real_name: full, title, email, status_text, status_emoji, status_expiration } = profile;
  return {
    id,
    name,
    real_name,
    deleted,
    is_bot,
    is_restricted,
    is_stranger,
    tz,
    tz_label,
    profile: { display_name, real_name: full, title, email, status_text, status_emoji, status_expiration },
  };
}

/** @throws refusals of Slack, such as `slack-user-not-found` */
export async function personById(slack: Slack, id: string): Promise<SlackUser> {
  const key = `${slack.mark()}/${id}`;
  const known = slack.memory.people.get(key);
  if (known) return known;
  const { user = { id } } = await slack.read<{ user?: SlackUser }>('users.info', { user: id });
  const person = slimPerson(user);
  slack.memory.people.set(key, person);
  return person;
}

/**
 * The one person of that id, mail address or name, which may be a handle, a display name or a full name.
 *
 * @throws `slack-unknown-person`; `slack-several-people`, which names them: the user chooses
 */
export async function findPerson(slack: Slack, who: string): Promise<SlackUser> {
  const wanted = who.trim();
  if (isUserId(wanted)) return personById(slack, wanted);
  if (plainName(wanted) === 'me') return personById(slack, (await slack.self()).user);
  if (isEmail(wanted)) {
    const { user } = await slack.read<{ user?: SlackUser }>('users.lookupByEmail', { email: wanted });
    if (user?.id) return slimPerson(user);
  }
  const name = plainName(wanted);
  const fits = (person: SlackUser) => namesOf(person).includes(name);
  const { items, next, cut } = await walkPages(slack, peopleListing, '', { fits }); // to the end: names are not unique
  const found = items.filter(fits);
  const [only] = found;
  if (only && found.length === 1 && next === null) return only;
  if (found.length > 0) {
    const people = found
      .slice(0, 10)
      .map((person) => `${calledOf(person)} (${person.id}${person.profile?.title ? `, ${person.profile.title}` : ''})`);
    const more = next === null ? '' : ' There may be more: the list was not read to its end.';
    throw refuse(
      'slack-several-people',
      `"${wanted.slice(0, 80)}" may be ${people.join(', ')}.${more} Ask the user who is meant, then give the id.`,
    );
  }
  const among = cut ? ` among the first ${items.length} people (${cut})` : '';
  const message = `Nobody in the workspace is called "${wanted.slice(0, 80)}"${among}. Look with slack_search_users and give the id.`;
  throw refuse('slack-unknown-person', message);
}
