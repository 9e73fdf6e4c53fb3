import { context as active, ROOT_CONTEXT, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { type ExposurePlan, modelEntry } from '@skillgate/prompt/models';
import { Bell } from '@skillgate/store/bell';
import type { DataSource } from 'typeorm';
import type { AcceptParts } from './accept-turn.js';
import { endInterrupted } from './end-interrupted.js';
import { retryMs } from './keep-lease.js';
import { launchTurn } from './launch-turn.js';
import { type LapsedTurn, lapsedTurns, type TakenTurn, takeTurn } from './takeover-store.js';

/** Milliseconds between two looks, less up to a third by chance, so that replicas do not look at the same time. */
const lookMs = 450;
/** Turns that one look takes: what is left is for the other replicas, or for the next look. */
const most = 16;
/** A turn that went down with so many instances may be what brings them down. */
const mostAttempts = 10;

/** Looks for turns that lost their instance, of every account, and goes on with them. */
export class TakeOver {
  private readonly bell = new Bell();
  private running: Promise<void> | undefined;
  private stopping = false;
  private away = false;

  constructor(
    private readonly parts: AcceptParts,
    private readonly dataSource: DataSource,
  ) {}

  start(): void {
    // What the loop does for ever belongs to no span.
    this.running ??= active.with(ROOT_CONTEXT, () => this.run());
  }

  /** Takes no more turns. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.bell.ring();
    await this.running;
  }

  /** Looks now: turns were given away. */
  wake(): void {
    this.bell.ring();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const ms = await this.look();
      if (ms > 0) await this.bell.wait(ms * (1 - Math.random() / 3));
    }
  }

  /** @returns milliseconds until the next look */
  private async look(): Promise<number> {
    try {
      const lapsed = await lapsedTurns(this.dataSource, most);
      if (this.away) {
        this.away = false;
        return retryMs * 2; // nobody could renew while the database was away: who still holds a turn comes first
      }
      if (!this.stopping) await Promise.all(shuffled(lapsed).map((each) => this.take(each)));
      return lapsed.length === most ? 1 : lookMs;
    } catch (error) {
      if (!this.away) this.parts.log.warn({ err: error }, 'turns that lost their instance cannot be looked for; it is tried again');
      this.away = true;
      return lookMs;
    }
  }

  private async take(lapsed: LapsedTurn): Promise<void> {
    const { config, log } = this.parts;
    const taken = await takeTurn(this.dataSource, lapsed, config.SKILLGATE_LEASE_MS);
    if (!taken) return;
    const { turn, attempt } = taken.turn;
    if (taken.waited) log.info({ turn, attempt }, 'a turn that waited for its user goes on');
    else log.warn({ turn, attempt, lapsedMs: Math.round(taken.lapsedMs) }, 'a turn that lost its instance was taken over');
    if (!taken.turn.request || attempt - taken.waits > mostAttempts) await endInterrupted(this.parts, taken);
    else this.launch(taken);
  }

  private launch(taken: TakenTurn): void {
    const { turn, chat } = taken;
    const { ticket, sampling, spanId } = turn.request!;
    // The plan as it was: what the chat holds fits it.
    const entry = { ...modelEntry(this.parts.models, turn.model), plan: turn.plan as ExposurePlan };
    const accepted = spanId ? remoteSpan({ traceId: turn.traceId, spanId }) : undefined;
    // Hours may lie between: what comes behind a wait is a trace of its own, linked to the turn's and to those of what its user said.
    const parent = accepted && !taken.waited ? trace.setSpanContext(ROOT_CONTEXT, accepted) : ROOT_CONTEXT;
    const said = [...taken.approvals.values()].flatMap(({ trace: at }) => (at ? [remoteSpan(at)] : []));
    const links = taken.waited ? [...(accepted ? [accepted] : []), ...said].map((context) => ({ context })) : [];
    active.with(parent, () => launchTurn(this.parts, { turn, ticket, entry, sampling, chat, begun: Promise.resolve(), taken, links }));
  }
}

const remoteSpan = ({ traceId, spanId }: Pick<SpanContext, 'traceId' | 'spanId'>): SpanContext => ({
  ...{ traceId, spanId },
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
