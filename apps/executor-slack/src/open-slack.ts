import { setTimeout as pause } from 'node:timers/promises';
import type { ToolContext } from '@skillgate/executor-kit/tool-context';
import { type Logger, LogLevel, WebClient } from '@slack/web-api';
import { type Stage, explainFailure, waitLonger } from './explain-failure.js';
import { slackAddress } from './slack-address.js';
import { innermostCode, slackFailure } from './slack-failure.js';
import { type Self, SlackMemory, markOf } from './slack-memory.js';

/** Milliseconds that one call of a tool waits for Slack in all. A grant lives for 60 s, and people do not wait longer. */
const patienceMs = 45_000;
/** Milliseconds for one request. */
const requestMs = 20_000;

type Arguments = Record<string, unknown>;

/** Slack as one call of a tool sees it, under the account's own credential. */
export interface Slack {
  /** @throws what `explainFailure` makes of a failure; nothing is asked twice but what Slack did not take */
  read<T>(method: string, args?: Arguments): Promise<T>;
  /** As `read`, for what changes something: a lost answer is `slack-outcome-unknown`. */
  change<T>(method: string, args?: Arguments): Promise<T>;
  /** For what is nice to know: no waiting, and undefined where it cannot be had. */
  glance<T>(method: string, args?: Arguments): Promise<T | undefined>;
  self(): Promise<Self>;
  readonly memory: SlackMemory;
  /** Stands for the token in keys of the memory. */
  mark(): string;
  readonly signal: AbortSignal;
}

const shared = new SlackMemory();

/**
 * Leases the credential. @throws the refusals that tell how to connect Slack
 *
 * @param purpose a tool that changes something is told of every failure before that as one that changed nothing
 */
export async function openSlack(
  { credential: lease, signal, progress }: ToolContext,
  purpose: 'reading' | 'changing' = 'reading',
  memory = shared,
): Promise<Slack> {
  const reading: Stage = purpose === 'reading' ? 'reading' : 'before';
  let credential = await lease('slack');
  let client = clientOf(credential.accessToken, signal);
  let mark = markOf(credential.accessToken);
  let patience = patienceMs;

  async function untilFree(method: string, stage: Stage): Promise<void> {
    const waitMs = (memory.blockedUntil.get(`${mark}/${method}`) ?? 0) - Date.now();
    if (waitMs <= 0) return;
    if (waitMs > patience) throw waitLonger(waitMs, stage);
    patience -= waitMs;
    progress(`Slack asks to wait ${Math.ceil(waitMs / 1000)} s before it answers more`);
    await pause(waitMs, undefined, { signal });
  }

  async function ask<T>(method: string, args: Arguments, stage: Stage): Promise<T> {
    for (let renewed = false; ;) {
      await untilFree(method, stage);
      try {
        return (await client.apiCall(method, args)) as T;
      } catch (error) {
        const failure = slackFailure(error);
        if (!failure) throw error;
        if (failure.kind === 'limited') {
          memory.blockedUntil.set(`${mark}/${method}`, Date.now() + failure.retryAfterMs);
        } else if (failure.kind === 'credential' && !renewed) {
          renewed = true;
          credential = await lease('slack', { rejected: credential });
          client = clientOf(credential.accessToken, signal);
          mark = markOf(credential.accessToken);
        } else {
          throw explainFailure(failure, method, stage);
        }
      }
    }
  }

  return {
    read: (method, args = {}) => ask(method, args, reading),
    change: (method, args = {}) => ask(method, args, 'changing'),
    async glance<T>(method: string, args: Arguments = {}) {
      if ((memory.blockedUntil.get(`${mark}/${method}`) ?? 0) > Date.now()) return undefined;
      return client.apiCall(method, args).then(
        (answer) => answer as T,
        (error: unknown) => {
          const failure = slackFailure(error);
          if (failure?.kind === 'limited') memory.blockedUntil.set(`${mark}/${method}`, Date.now() + failure.retryAfterMs);
          return undefined;
        },
      );
    },
    async self() {
      const known = memory.selves.get(mark);
      if (known) return known;
      const {
        user_id = '',
        team_id = '',
        url = '',
      } = await ask<{ user_id?: string; team_id?: string; url?: string }>('auth.test', {}, reading);
      const self = { user: user_id, team: team_id, url };
      memory.selves.set(mark, self);
      return self;
    },
    memory,
    mark: () => mark,
    signal,
  };
}

/** One try and no more: the library's own repeats would send a message twice whose answer was lost. */
const clientOf = (token: string, signal: AbortSignal): WebClient =>
  new WebClient(token, {
    slackApiUrl: slackAddress(),
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    fetch: async (url, init) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(requestMs)]);
      return fetch(url as string, { ...init, signal: ends } as RequestInit).catch((cause: unknown) => {
        throw Object.assign(new Error('no answer', { cause }), { code: innermostCode(cause) }); // the library may keep no cause
      });
    },
  });

/** The library logs whole requests and answers, which are the account's. */
const nothing = (): void => undefined;
const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};
