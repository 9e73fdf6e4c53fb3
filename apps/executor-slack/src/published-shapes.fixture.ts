// What the tools read of Slack's answers is what Slack publishes: the type check holds it against the types of its library, which are
// made from real answers. The content of a canvas is not among them, since the library does not know that method yet.
import type {
  AuthTestResponse,
  CanvasesCreateResponse,
  CanvasesSectionsLookupResponse,
  ChatPostMessageResponse,
  ChatScheduleMessageResponse,
  ChatScheduledMessagesListResponse,
  ConversationsHistoryResponse,
  ConversationsInfoResponse,
  ConversationsListResponse,
  ConversationsOpenResponse,
  ConversationsRepliesResponse,
  SearchMessagesResponse,
  UsersInfoResponse,
  UsersListResponse,
} from '@slack/web-api';
import type { SlackChannel, SlackMessage, SlackMessages, SlackUser } from './slack-answers.js';

/** Holds when an answer of Slack can be read as what a tool takes it for; the program does not compile otherwise. */
type Reads<Ours, Published extends Ours> = Published;
type Item<T> = NonNullable<T> extends (infer I)[] ? I : never;

export type Held = [
  Reads<SlackMessages, Pick<ConversationsHistoryResponse, 'ok' | 'response_metadata'> & { messages?: SlackMessage[] }>,
  Reads<Omit<SlackMessage, 'metadata' | 'channel'>, Omit<Item<ConversationsHistoryResponse['messages']>, 'metadata' | 'channel'>>,
  Reads<Omit<SlackMessage, 'metadata' | 'channel'>, Omit<Item<ConversationsRepliesResponse['messages']>, 'metadata' | 'channel'>>,
  Reads<
    { ts?: string; user?: string; text?: string; permalink?: string; channel?: { id?: string; name?: string } },
    Item<NonNullable<SearchMessagesResponse['messages']>['matches']>
  >,
  Reads<{ page?: number; pages?: number; total?: number }, NonNullable<NonNullable<SearchMessagesResponse['messages']>['paging']>>,
  Reads<Omit<SlackChannel, 'properties'>, Omit<Item<ConversationsListResponse['channels']>, 'properties'>>,
  Reads<Omit<SlackChannel, 'properties'>, Omit<NonNullable<ConversationsInfoResponse['channel']>, 'properties'>>,
  Reads<{ id?: string }, NonNullable<ConversationsOpenResponse['channel']>>,
  Reads<SlackUser, Item<UsersListResponse['members']>>,
  Reads<SlackUser, NonNullable<UsersInfoResponse['user']>>,
  Reads<{ user_id?: string; team_id?: string; url?: string }, AuthTestResponse>,
  Reads<{ ts?: string }, ChatPostMessageResponse>,
  Reads<{ scheduled_message_id?: string }, ChatScheduleMessageResponse>,
  Reads<{ id?: string; post_at?: number; text?: string }, Item<ChatScheduledMessagesListResponse['scheduled_messages']>>,
  Reads<{ canvas_id?: string }, CanvasesCreateResponse>,
  Reads<{ sections?: { id?: string }[] }, CanvasesSectionsLookupResponse>,
];
