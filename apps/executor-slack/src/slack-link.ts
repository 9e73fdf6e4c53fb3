import { refuse } from '@skillgate/contracts/refusal';

/** A message as its address in Slack names it. */
export interface MessagePlace {
  channel: string;
  /** Seconds since the epoch with six decimals: the id of a message in its channel. */
  ts?: string;
  /** Of the first message of its thread, where it is a reply. */
  thread?: string;
}

const messagePath = /^\/archives\/([CGD][A-Z0-9]{6,20})(?:\/p(\d{10})(\d{6}))?\/?$/; // p1508284197000015 is 1508284197.000015
const canvasPath = /^\/(?:docs|canvas)\/(?:T[A-Z0-9]{6,20}\/)?([FC][A-Z0-9]{6,20})\/?$/;

/** @returns undefined for what is no address of Slack */
function slackUrl(text: string): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === 'slack.com' || url.hostname.endsWith('.slack.com') ? url : undefined;
}

/** Source of the form: what "Copy link" gives, and chat.getPermalink. */
export function readMessageLink(text: string): MessagePlace | undefined {
  const url = slackUrl(text);
  const [, channel, seconds, micros] = messagePath.exec(url?.pathname ?? '') ?? [];
  if (!url || !channel) return undefined;
  const thread = url.searchParams.get('thread_ts') ?? undefined;
  return { channel, ...(seconds && { ts: `${seconds}.${micros}` }), ...(thread && { thread }) };
}

export function messageLink(workspace: string, channel: string, ts: string, thread?: string): string {
  const link = `${workspace}archives/${channel}/p${ts.replace('.', '')}`;
  return thread && thread !== ts ? `${link}?thread_ts=${thread}&cid=${channel}` : link;
}

export const canvasLink = (workspace: string, team: string, canvas: string): string => `${workspace}docs/${team}/${canvas}`;

/** The id of a canvas from its id or its address. @throws refusal `slack-bad-canvas` */
export function readCanvasId(text: string): string {
  if (/^F[A-Z0-9]{6,20}$/.test(text)) return text;
  const [, id] = canvasPath.exec(slackUrl(text)?.pathname ?? '') ?? [];
  if (id) return id;
  throw refuse('slack-bad-canvas', 'That is no canvas. Give its id, such as "F0123456789", or the link that "Copy link" gives in Slack.');
}
