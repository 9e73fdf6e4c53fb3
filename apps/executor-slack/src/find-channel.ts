import { refuse } from '@skillgate/contracts/refusal';
import { findPerson } from './find-person.js';
import { channelCalled, isChannelId, isEmail, isUserId, plainName } from './names.js';
import type { Slack } from './open-slack.js';
import type { SlackChannel } from './slack-answers.js';
import { readMessageLink } from './slack-link.js';
import { type Listing, walkPages } from './walk-pages.js';

export const channelListing: Listing<SlackChannel> = {
  method: 'conversations.list',
  args: { types: 'public_channel,private_channel', exclude_archived: true },
  itemsOf: ({ channels = [] }: { channels?: SlackChannel[] }) => channels.map(slimChannel),
};

function slimChannel({
  id,
  name,
  user,
  is_im,
  is_mpim,
  is_private,
  is_archived,
  is_member,
  is_ext_shared,
  is_pending_ext_shared,
  num_members,
  topic,
  purpose,
  properties,
}: SlackChannel): SlackChannel {
  const words = { topic: { value: topic?.value?.slice(0, 250) }, purpose: { value: purpose?.value?.slice(0, 250) } };
  return {
    id,
    name,
    user,
    is_im,
    is_mpim,
    is_private,
    is_archived,
    is_member,
    is_ext_shared,
    is_pending_ext_shared,
    num_members,
    ...words,
    properties,
  };
}

/** A place in Slack where messages are. */
export interface Destination extends SlackChannel {
  id: string;
  /** For texts: `#general`, or whom a direct message is with. */
  called: string;
}

/**
 * The one conversation that is meant by an id, a channel's name, a link, or a person (`@name`, id, mail address) for
 * direct messages with them.
 *
 * @throws refusals that say how to find it
 */
export async function findDestination(slack: Slack, place: string): Promise<Destination> {
  const wanted = place.trim();
  const id = readMessageLink(wanted)?.channel ?? (isChannelId(wanted) ? wanted : undefined);
  if (id) {
    const { channel } = await slack.read<{ channel?: SlackChannel }>('conversations.info', { channel: id, include_num_members: true });
    return destination(slimChannel({ ...channel, id }));
  }
  if (wanted.startsWith('@') || isUserId(wanted) || isEmail(wanted)) return directMessages(slack, wanted);
  return byName(slack, wanted);
}

const destination = (channel: SlackChannel): Destination => ({ ...channel, id: channel.id ?? '', called: channelCalled(channel) });

/** Opening is no message: nobody but the user sees it. */
async function directMessages(slack: Slack, who: string): Promise<Destination> {
  const person = await findPerson(slack, who);
  const { channel } = await slack.read<{ channel?: SlackChannel }>('conversations.open', { users: person.id });
  if (!channel?.id)
    throw refuse('slack-no-direct-messages', 'Slack opened no direct messages with that person. Ask the user for a channel.');
  const name = person.profile?.display_name || person.real_name || person.name || person.id;
  return { is_im: true, user: person.id, id: channel.id, called: `direct messages with ${name}` };
}

async function byName(slack: Slack, wanted: string): Promise<Destination> {
  const name = plainName(wanted);
  const isIt = (channel: SlackChannel) => plainName(channel.name ?? '') === name;
  const { items, next, cut } = await walkPages(slack, channelListing, '', { isIt, fits: isIt });
  const found = items.find(isIt);
  if (found) return destination(found);
  const shown = `"#${name.slice(0, 80)}"`;
  if (next !== null) {
    const message = `${shown} is not among the first ${items.length} channels (${cut}). Call again to look further, or give its id or link.`;
    throw refuse('slack-channel-not-reached', message, { cursor: next });
  }
  const near = items.filter((channel) => name.length > 2 && plainName(channel.name ?? '').includes(name)).slice(0, 5);
  const hint = near.length > 0 ? ` Similar: ${near.map((channel) => `#${channel.name}`).join(', ')}.` : '';
  throw refuse(
    'slack-unknown-channel',
    `No channel that the user can see is called ${shown}.${hint} Look with slack_search_channels, or ask the user.`,
  );
}
