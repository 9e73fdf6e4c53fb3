import { setTimeout as pause } from 'node:timers/promises';
import { crashModel } from './crash-model.js';

/** How a turn ended for its user. */
export type TurnEnd = { end: 'finished' } | { end: 'failed'; why: string } | { end: 'lost'; why: string };

/** Milliseconds that a client goes on asking after a turn whose stream broke. */
const patienceMs = 180_000;

/** One user's turn over HTTP, as any client makes it: streamed, and read on or asked after where the stream broke. */
export class CrashClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async turn(n: number): Promise<TurnEnd> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      await this.untilOpen(deadline);
      const body = { model: crashModel, stream: true, messages: [{ role: 'user', content: `Do the work of turn ${n}.` }] };
      const answer = await this.fetch('/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) });
      const turn = answer.headers.get('x-skillgate-turn');
      if (answer.ok && turn) return this.follow(turn, answer, deadline);
      const said = await answer.text();
      // These say for sure that no turn has begun: after anything else there might be one, and it is not asked for again.
      if (/no-responder|was not sent|is not heard yet/.test(said) && Date.now() < deadline) await pause(250);
      else return { end: 'failed', why: `${answer.status} ${said.slice(0, 200)}` };
    }
  }

  private async follow(turn: string, answer: Response, deadline: number): Promise<TurnEnd> {
    const text = await answer.text().catch(() => '');
    if (text.includes('data: [DONE]') && /"finish_reason":"stop"/.test(text)) return { end: 'finished' };
    const error = /^data: (\{"error".*)$/m.exec(text)?.[1];
    // What went wrong may be the reading; the journal tells of the turn.
    while (Date.now() < deadline) {
      const found = await this.fetch(`/api/v1/turns/${turn}`).catch(() => null);
      if (found?.ok) {
        const { status, outcome } = (await found.json()) as { status: string; outcome: { error: { slug: string } | null } | null };
        if (status === 'finished') return { end: 'finished' };
        if (outcome) return { end: 'failed', why: `${status}: ${outcome.error?.slug}` };
      } else await found?.text();
      await pause(500);
    }
    return { end: 'lost', why: `turn ${turn} has no end in the journal; its stream said ${error ?? text.slice(-200)}` };
  }

  /** Waits while the house cannot tell who is asking: nobody could begin anything then. */
  private async untilOpen(deadline: number): Promise<void> {
    while (Date.now() < deadline) {
      const me = await this.fetch('/api/v1/me').catch(() => null);
      await me?.text();
      if (me?.ok) return;
      await pause(250);
    }
  }

  private fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { ...init, headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' } });
  }
}
