// What is read of Slack's answers, with the names of https://docs.slack.dev/reference/methods. Everything may be missing.

export interface SlackAnswer {
  ok?: boolean;
  response_metadata?: { next_cursor?: string };
}

export interface SlackChannel {
  id?: string;
  name?: string;
  user?: string;
  is_im?: boolean;
  is_mpim?: boolean;
  is_private?: boolean;
  is_archived?: boolean;
  is_member?: boolean;
  is_ext_shared?: boolean;
  is_pending_ext_shared?: boolean;
  num_members?: number;
  topic?: { value?: string };
  purpose?: { value?: string };
  properties?: { canvas?: { file_id?: string } };
}

export interface SlackUser {
  id?: string;
  name?: string;
  real_name?: string;
  deleted?: boolean;
  is_bot?: boolean;
  is_restricted?: boolean;
  is_stranger?: boolean;
  tz?: string;
  tz_label?: string;
  profile?: {
    display_name?: string;
    real_name?: string;
    title?: string;
    email?: string;
    status_text?: string;
    status_emoji?: string;
    /** Seconds since the epoch; 0 for a status without an end. */
    status_expiration?: number;
  };
}

export interface SlackMessage {
  ts?: string;
  type?: string;
  subtype?: string;
  user?: string;
  username?: string;
  bot_profile?: { name?: string };
  text?: string;
  thread_ts?: string;
  reply_count?: number;
  reactions?: { name?: string; count?: number }[];
  files?: { name?: string; title?: string; permalink?: string }[];
  attachments?: { fallback?: string; text?: string; title?: string }[];
  metadata?: { event_type?: string; event_payload?: Record<string, unknown> };
  /** Of search matches alone. */
  channel?: SlackChannel;
  permalink?: string;
}

export interface SlackMessages extends SlackAnswer {
  messages?: SlackMessage[];
}
