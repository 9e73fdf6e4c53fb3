import type { Meter, Tracer } from '@opentelemetry/api';
import type { Call, CallAnswer, CallInput, CallOutput, CallParsedInput } from '@skillgate/contracts/define-call';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import type { Stream } from '@skillgate/contracts/define-stream';
import { HouseError, unavailable } from '@skillgate/contracts/refusal';
import type { KeyValueBucket } from '@skillgate/contracts/call-ledger-bucket';
import { deadLetterStream } from '@skillgate/contracts/streams';
import { cancelSubject, type SettleRequest, type Settlement, type ToolProgress, type ToolResult, turnSubject } from '@skillgate/contracts/tool-call';
import type { Announcement, HeardAnnouncement } from '@skillgate/contracts/tool-manifest';
import { handover, handoverSubject, isExactDelta, turnMessage, type TurnMessage } from '@skillgate/contracts/turn-stream';
import { announce, publishProgress, subscribeAnnouncements, subscribeProgress } from './announcements.js';
import { attendTurn, isTurnAttended } from './attend-turn.js';
import { type Bucket, openBucket } from './bucket.js';
import { type CallOptions, request } from './call.js';
import type { CallContext } from './call-context.js';
import { callTool, settleCall, type ToolCallOptions } from './call-tool.js';
import type { Connection, Hearing, WireStatus } from './connection.js';
import type { ConsumerStatus, Delivery, HearOptions, Published, PublishOptions, Recalled } from './delivery.js';
import { type DurableHearing, hearEvent } from './hear-event.js';
import { headerNames } from './header-names.js';
import { type KeyValues, makeKeyValues, openKeyValues } from './key-values.js';
import { publishLive, requireToken, subscribeLive, type Subscribed } from './live-subjects.js';
import { countMessages, type DeadLetters, mendStream } from './mend-stream.js';
import { observeWire } from './observe-wire.js';
import { publishEvent, publishStored } from './publish-event.js';
import { askRaw, type RawMessage, sayRaw } from './raw-message.js';
import { readEvents } from './read-events.js';
import { readTurn, type TurnPlace } from './read-turn.js';
import { reconcileStreams } from './reconcile-streams.js';
import { Requests } from './requests.js';
import { RunningCalls } from './running-calls.js';
import { serveSubject, type WireParts } from './serve-subject.js';
import { serveSettle, serveTools, type SettleHandler, type ToolHandler, type ToolRequest } from './serve-tools.js';
import { stopServing } from './stop-serving.js';
import { cancelled, type PermissionDenied } from './wire-errors.js';
import { makeWireMeter } from './wire-meter.js';
import { watchEvent } from './watch-event.js';

export type { ToolCallOptions } from './call-tool.js';

/** One service's place on the wire; also its injection token. Made by `connectWire`, one for each service of a process. */
export class Wire {
  readonly service: string;
  private readonly parts: WireParts;
  private readonly requests: Requests;
  private readonly cancellations: Hearing;
  private readonly served = new Set<Hearing>();
  private readonly durables = new Set<DurableHearing>();

  private readonly stopObserving: () => void;

  constructor(
    private readonly connection: Connection,
    { tracer, meter, redact }: { readonly tracer: Tracer; readonly meter: Meter; redact(text: string): string },
  ) {
    this.service = connection.service;
    const running = new RunningCalls();
    this.requests = new Requests(connection);
    this.parts = { connection, tracer, meter: makeWireMeter(meter), running, requests: this.requests, redact };
    // No queue: every instance hears it, and the one that runs the call stops it.
    this.cancellations = connection.hear(cancelSubject(this.service), ({ headers, subject }) => {
      running.abort(headers?.get(headerNames.cancelId) ?? '', cancelled(subject));
    });
    this.stopObserving = observeWire(meter, {
      consumers: () => this.consumers(),
      deadLettersWaiting: () => this.deadLettersWaiting(),
      underWay: () => ({ served: running.size, made: this.requests.size }),
    });
  }

  /** Resolves when the server has let this service hear its answers and cancellations. */
  async ready(): Promise<void> {
    await Promise.all([this.requests.ready, this.cancellations.ready]);
  }

  /** @throws `HouseError`: what the callee answered, or why no answer came */
  call<C extends Call>(contract: C, input: CallInput<C>, options: CallOptions = {}): Promise<CallOutput<C>> {
    const { subject, owner, perCaller } = contract;
    const publishTo = perCaller ? `${subject}.${this.service}` : subject;
    const outgoing = { ...contract, subject, publishTo, callee: owner };
    return request(this.parts, outgoing, input, options) as Promise<CallOutput<C>>;
  }

  /** Calls a tool of an executor under a grant. @throws `HouseError`; the tool's own refusals included */
  callTool(executor: string, tool: string, input: ToolRequest, options: ToolCallOptions): Promise<ToolResult> {
    return callTool(this.parts, executor, tool, input, options);
  }

  /**
   * Asks an executor what became of a call: one that has not arrived will be refused from now on. @throws Unavailable when nothing
   * can be told: ask again
   */
  settleCall(executor: string, input: SettleRequest, options: { deadlineMs: number; signal?: AbortSignal }): Promise<Settlement> {
    return settleCall(this.parts, executor, input, options);
  }

  /** Serves a call, shared with the other instances; controllers use `@Serves` instead. */
  serve<C extends Call>(contract: C, handler: (input: CallParsedInput<C>, context: CallContext) => Promise<CallAnswer<C>>): Hearing {
    const { subject, perCaller } = contract;
    const run = (input: unknown, context: CallContext) => handler(input as CallParsedInput<C>, context);
    return this.keep(serveSubject(this.parts, { ...contract, subject: perCaller ? `${subject}.*` : subject, run }));
  }

  serveTools(executor: string, handler: ToolHandler): Hearing {
    return this.keep(serveTools(this.parts, executor, handler));
  }

  /** Answers what became of an executor's calls, shared with its other instances. */
  serveSettle(executor: string, handler: SettleHandler): Hearing {
    return this.keep(serveSettle(this.parts, executor, handler));
  }

  /**
   * Creates and widens this service's streams; see `reconcileStreams`. Again after each reconnect, since a server that was
   * restarted has lost those in memory. @throws when one on the server is another than declared
   */
  reconcileStreams(streams: readonly Stream[]): Promise<void> {
    this.connection.onUp(() => {
      reconcileStreams(this.parts, streams).catch((error: unknown) => this.connection.log.error({ err: error }, 'streams could not be looked after'));
    });
    return reconcileStreams(this.parts, streams);
  }

  /**
   * Puts an event into its stream. For the outbox relay alone: whatever else calls it loses the event with its process.
   *
   * @throws Unavailable: publish again with the same id
   */
  publishEvent<E extends Event>(event: E, payload: EventPayload<E>, options: PublishOptions): Promise<Published> {
    return publishEvent(this.parts, event, payload, options);
  }

  /** The same for a body that was checked when the outbox took it: it goes byte for byte. @throws as `publishEvent` */
  publishStored(event: Event, body: string, options: PublishOptions): Promise<Published> {
    return publishStored(this.parts, event, body, options);
  }

  /** Works on each event once in all instances together, surely; controllers use `@Hears` instead. */
  hear<E extends Event>(event: E, onEvent: (payload: EventPayload<E>, delivery: Delivery) => Promise<void>, options?: HearOptions): Hearing {
    const hearing = hearEvent(this.parts, event, onEvent, options);
    this.durables.add(hearing);
    return this.keep(hearing);
  }

  /** Every instance is told of every event from now on, in order. For what it holds in memory: nothing is acknowledged. */
  watch<E extends Event>(event: E, onEvent: (payload: EventPayload<E>, about: Recalled) => void): Hearing {
    return this.keep(watchEvent(this.parts, event, onEvent));
  }

  /** Reads every event that its stream still has, once: for a projection that begins empty. Needs `watches` in the edges. */
  readEvents<E extends Event>(event: E, onEvent: (payload: EventPayload<E>, about: Recalled) => Promise<void>): Promise<number> {
    return readEvents(this.parts, event, onEvent);
  }

  /** How far this service is behind in what it hears. Never rejects: what is not known has a `detail`. */
  consumers(): Promise<ConsumerStatus[]> {
    return Promise.all([...this.durables].map((hearing) => hearing.status()));
  }

  /** Dead letters of this service that nobody has looked after; undefined when it hears no events, or when it cannot be told. */
  async deadLettersWaiting(): Promise<number | undefined> {
    if (this.durables.size === 0) return undefined;
    return countMessages(this.parts, deadLetterStream(this.service)).catch(() => undefined);
  }

  /** What the stream still has of a turn behind the given message, or all of it, in order. @throws Unavailable: ask the journal */
  async readTurn(turnId: string, after?: TurnPlace): Promise<TurnMessage[]> {
    return readTurn(this.parts, requireToken(turnId, 'turn'), after);
  }

  /** The dead letters in a stream that this user may mend. */
  deadLetters(stream: Stream): DeadLetters {
    return mendStream(this.parts, stream);
  }

  /** @returns whether it was sent: a live message is dropped, and logged, while the wire is down */
  publishTurn(turnId: string, message: TurnMessage): boolean {
    return publishLive(this.connection, turnSubject(requireToken(turnId, 'turn')), turnMessage, message, isExactDelta);
  }

  /** @throws Unavailable at once while the wire is down; once made, it outlives reconnects */
  subscribeTurn(turnId: string, onMessage: (message: TurnMessage) => void): Subscribed {
    return subscribeLive(this.connection, turnSubject(requireToken(turnId, 'turn')), turnMessage, (message) => onMessage(message), isExactDelta);
  }

  /** Lets others see that a turn is read here, until it is closed. @param onAsked each time that somebody asks */
  attendTurn(turnId: string, onAsked: () => void): Subscribed {
    return attendTurn(this.parts, requireToken(turnId, 'turn'), onAsked);
  }

  /** Is this turn read anywhere? @throws Unavailable when it cannot be told */
  async isTurnAttended(turnId: string): Promise<boolean> {
    return isTurnAttended(this.parts, requireToken(turnId, 'turn'));
  }

  /** @returns whether it was sent */
  publishProgress(executor: string, turnId: string, progress: ToolProgress): boolean {
    return publishProgress(this.connection, executor, turnId, progress);
  }

  /** `from` stands in the subject, so the broker proves the executor. */
  subscribeProgress(onProgress: (progress: ToolProgress, from: { executor: string; turnId: string }) => void): Subscribed {
    return subscribeProgress(this.connection, onProgress);
  }

  /** @returns whether it was sent */
  announce(said: Announcement): boolean {
    return announce(this.connection, said);
  }

  /** An announcement in another executor's name is logged and dropped; a tool that is no manifest is told beside the others. */
  subscribeAnnouncements(onAnnouncement: (said: HeardAnnouncement) => void): Subscribed {
    return subscribeAnnouncements(this.connection, onAnnouncement);
  }

  /** Lets the other instances look at once for turns that were given away. @returns whether it was sent */
  tellHandover(turns: number): boolean {
    return publishLive(this.connection, handoverSubject, handover, { turns });
  }

  subscribeHandover(onHandover: () => void): Subscribed {
    return subscribeLive(this.connection, handoverSubject, handover, () => onHandover());
  }

  /** Creates a bucket that another service uses, unless it is there. */
  makeKeyValues(bucket: KeyValueBucket): Promise<void> {
    return makeKeyValues(this.connection, bucket);
  }

  keyValues(bucket: KeyValueBucket): Promise<KeyValues> {
    return openKeyValues(this.connection, bucket);
  }

  /** For trying how others treat what no service of the house would send. @returns undefined when no answer came within `waitMs` */
  askRaw(message: RawMessage, waitMs: number): Promise<Uint8Array | undefined> {
    return askRaw(this.parts, message, waitMs);
  }

  /** As `askRaw`, without a subject for an answer. */
  sayRaw(message: RawMessage): void {
    sayRaw(this.parts, message);
  }

  bucket(name: string): Promise<Bucket> {
    return openBucket(this.connection, name);
  }

  status(): WireStatus {
    return this.connection.status();
  }

  /** @returns how to stop */
  onPermissionError(listener: (denied: PermissionDenied) => void): () => void {
    return this.connection.onPermissionError(listener);
  }

  /** `stopServing`, then `close` in every case. @returns the number of calls that had to be aborted */
  async drain(timeoutMs: number): Promise<number> {
    try {
      return await this.stopServing(timeoutMs);
    } finally {
      await this.close();
    }
  }

  /**
   * Takes no new calls, lets running ones end within `timeoutMs`, then aborts them: their callers get Unavailable
   * `draining`. Own calls still work afterwards.
   *
   * @returns the number of calls that had to be aborted
   */
  stopServing(timeoutMs: number): Promise<number> {
    return stopServing(this.parts, this.served, timeoutMs);
  }

  /** At once: who waits for an answer gets Unavailable. */
  async close(): Promise<void> {
    this.stopObserving();
    for (const hearing of this.served) hearing.close(); // else those of events would look for their streams for ever
    if (!this.connection.nats.isClosed()) await this.connection.nats.close();
    this.requests.failAll(new HouseError(unavailable('wire-closed', `The wire of "${this.service}" was closed`)));
  }

  private keep(hearing: Hearing): Hearing {
    this.served.add(hearing);
    return hearing;
  }
}
