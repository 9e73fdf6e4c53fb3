import { type HouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import type { SlackFailure } from './slack-failure.js';

/** What a person can do about the codes that tools meet. Source: the error tables of docs.slack.dev/reference/methods. */
const advice: Readonly<Record<string, string>> = {
  channel_not_found: 'There is no such channel that the user can see. Find it with slack_search_channels, or ask for an invitation.',
  not_in_channel: 'The user is not in that channel. They join it in Slack first; then call again.',
  is_archived: 'That channel is archived, so nothing can be sent to it. Ask the user for another one.',
  restricted_action: 'The workspace does not allow this user to do that. An owner of the workspace can.',
  restricted_action_read_only_channel: 'Only some people may post in that channel, and the user is not one of them.',
  restricted_action_thread_only_channel: 'That channel takes replies in threads alone. Reply to one of its messages with "thread".',
  restricted_action_non_threadable_channel: 'That channel has no threads. Send without "thread".',
  user_not_found: 'There is no such person that the user can see. Find them with slack_search_users.',
  users_not_found: 'Nobody in the workspace has that address. Find the person with slack_search_users.',
  user_not_visible: 'The user may not see that person.',
  user_disabled: 'That person has been deactivated in Slack and gets no messages.',
  cannot_dm_bot: 'Slack takes no direct messages to that app.',
  thread_not_found: 'There is no thread with that "ts" in that channel. Take both from one message that you read.',
  message_not_found: 'There is no message with that "ts" in that channel.',
  msg_too_long: 'The message is too long for Slack. Shorten it, or put the text into a canvas and send its link.',
  no_text: 'The message has no text.',
  time_in_past: 'That time has passed. Take one at least a minute ahead.',
  time_too_far: 'Slack keeps scheduled messages for 120 days at most. Take an earlier time.',
  invalid_time: 'Slack does not take that time.',
  restricted_too_many: 'Slack takes no more scheduled messages for that time and channel (30 in five minutes).',
  invalid_cursor: 'That cursor is no longer valid. Begin again without one.',
  not_allowed_token_type: 'Slack does this for a person and not for a bot. An admin connects Slack as a person under Integrations.',
  access_denied: 'The workspace does not allow this connection to do that.',
  no_permission: 'The workspace does not allow this connection to do that.',
  ekm_access_denied: 'The workspace has locked its data for now. An owner of the workspace can say why.',
  team_access_not_granted: 'The connection was not approved for that workspace. An owner of the workspace can approve it.',
  canvas_not_found: 'There is no such canvas that the user can see. Take its id or link from Slack.',
  canvas_deleted: 'That canvas has been deleted.',
  canvas_disabled_user_team: 'Canvases are switched off in that workspace.',
  canvas_disabled_file_team: 'Canvases are switched off in that workspace.',
  canvas_creation_failed: 'Slack could not make the canvas of this text. Use plain Markdown: headings, lists, links, tables.',
  canvas_editing_failed: 'Slack could not apply the change. Read the canvas again, then try a smaller one.',
  canvas_tab_creation_failed: 'Slack could not add the canvas to that channel.',
  channel_canvas_already_exists: 'That channel has its canvas already. Change it with slack_update_canvas.',
  free_team_canvas_tab_already_exists:
    'A channel of a free workspace has one canvas, and it is there already. Change it with slack_update_canvas.',
  free_teams_cannot_create_non_tabbed_canvases: 'In a free workspace a canvas belongs to a channel. Name one in "channel".',
  free_teams_cannot_edit_standalone_canvases: 'In a free workspace only the canvases of channels can be changed.',
};

/** Where a tool stands when a request fails: it only reads, it has changed nothing yet, or this request is the change. */
export type Stage = 'reading' | 'before' | 'changing';

/**
 * A failure in words for a model and the person behind it.
 *
 * Of a tool with effects, `unavailable` means that nobody knows whether it took effect. So whatever Slack surely did not do
 * is a refusal there, and only a lost answer to the change itself is not.
 */
export function explainFailure(failure: SlackFailure, method: string, stage: Stage): HouseError {
  switch (failure.kind) {
    case 'limited':
      return waitLonger(failure.retryAfterMs, stage);
    case 'credential':
      return refuse(
        'slack-not-accepted',
        `Slack does not accept the connection of this account any more (${failure.code}). Connect Slack again under Integrations.`,
      );
    case 'unreachable':
      return passing('slack-unreachable', 'Slack could not be reached.', stage);
    case 'lost':
      if (stage !== 'changing') return passing('slack-no-answer', `Slack gave no clear answer to ${method} (${failure.code}).`, stage);
      return unavailable(
        'slack-outcome-unknown',
        `Slack gave no clear answer to ${method} (${failure.code}), so nobody knows whether it was done. Look in Slack and tell the user.`,
      );
    case 'refused':
      return explainCode(failure.code, failure.needed);
  }
}

function explainCode(code: string, needed = ''): HouseError {
  const details = { code };
  if (code === 'missing_scope') {
    const scopes = /^[\w.:,|]{1,200}$/.test(needed) ? ` "${needed}"` : '';
    const doing = 'An admin of the account connects Slack again under Integrations and agrees to it.';
    const message = `The connection to Slack lacks the right${scopes}. ${doing}`;
    return refuse('slack-missing-scope', message, details);
  }
  return refuse(
    `slack-${code.toLowerCase().replaceAll('_', '-')}`,
    advice[code] ?? `Slack refused it: ${code}. Tell the user; do not repeat it unchanged.`,
    details,
  );
}

export function waitLonger(retryAfterMs: number, stage: Stage): HouseError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const asks = `Slack takes no more requests of this kind for ${seconds} s.`;
  if (stage === 'reading') return unavailable('slack-rate-limited', `${asks} Wait that long, then call again, once.`, retryAfterMs);
  return refuse('slack-rate-limited', `${asks} Nothing was changed. Wait that long, then call again, once.`, {
    retryAfterSeconds: seconds,
  });
}

function passing(slug: string, what: string, stage: Stage): HouseError {
  return stage === 'reading'
    ? unavailable(slug, `${what} Try again in a while.`)
    : refuse(slug, `${what} Nothing was changed. Try again in a while.`);
}
