import { randomUUID } from 'node:crypto';
import { isUnavailable, type WireError } from '@skillgate/contracts/refusal';
import { cancelSubject, settleSubject, type Settlement, type ToolProgress, type ToolResult, toolSubject } from '@skillgate/contracts/tool-call';
import type { Announcement } from '@skillgate/contracts/tool-manifest';
import type { Signer } from '@skillgate/service-kit/signing';
import { Broken, NotTried } from './rule.js';
import type { Peers } from './peers.js';
import type { ConformPlan, Example } from './plan.js';

/** The executor as a process that the suite may start and end. */
export interface Subject {
  /** SIGTERM; resolves with the exit code when it is gone. */
  stop(): Promise<number | null>;
  /** How it ended by itself, as soon as it did: its exit code, null after a signal. Undefined while it runs. */
  ended?(): { code: number | null } | undefined;
}
export type StartSubject = () => Promise<Subject>;

export interface HeardAnnouncement extends Announcement {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One delivery, with what differs from a good one. */
export interface Delivery {
  readonly tool?: string;
  readonly arguments?: Record<string, unknown>;
  /** In place of `{ "arguments": … }`. */
  readonly body?: string;
  /** Changes of the grant's claims. */
  readonly claims?: object;
  /** The grant itself; null for none. */
  readonly grant?: string | null;
  readonly callId?: string | null;
  readonly turn?: string;
  /** Milliseconds from now; may be negative. */
  readonly deadlineIn?: number;
  readonly cancelId?: string;
  /** Milliseconds that the suite waits for the answer. */
  readonly waitMs?: number;
}

export interface Reply {
  /** For the report: what was sent, and what came. */
  readonly sent: string;
  readonly came: string;
  /** As it came; undefined when nothing did. */
  readonly text?: string;
  readonly bytes: number;
  readonly ok?: ToolResult;
  readonly error?: WireError;
}

const shown = (text: string, most = 240): string => (text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text);
const patienceMs = 8_000;

/** The executor under examination: what it was heard to say, and ways to ask it that no service of the house has. */
export class Examined {
  readonly announcements: HeardAnnouncement[] = [];
  readonly progress: (ToolProgress & { turnId: string })[] = [];
  /** Whom calls are for, unless they say otherwise. */
  readonly ids = { account: randomUUID(), user: randomUUID(), chat: randomUUID(), turn: randomUUID() };
  readonly subjects: Subject[] = [];
  /** In which something was sent. */
  readonly turns = new Set<string>();

  constructor(
    readonly name: string,
    readonly plan: ConformPlan,
    readonly peers: Peers,
    readonly start?: StartSubject,
    /** Milliseconds in which a started executor must have said that it is there. */
    readonly announceWithinMs = 20_000,
  ) {
    peers.registry.subscribeAnnouncements((said) => void (said.executor === name && this.announcements.push({ ...said, at: Date.now() })));
    peers.orchestrator.subscribeProgress((said, { executor, turnId }) => void (executor === name && this.progress.push({ ...said, turnId })));
  }

  /** The latest word of an instance that serves. */
  get manifest(): HeardAnnouncement | undefined {
    return this.announcements.findLast(({ state }) => state === 'serving');
  }

  /** @throws `NotTried` for what the plan leaves out */
  example(which: 'slow' | 'large' | 'write'): Example {
    const example = this.plan[which] ?? (which === 'write' && this.effectOf(this.plan.call.tool) !== 'read' ? this.plan.call : undefined);
    if (example) return example;
    const needs = { slow: 'a call that works for three seconds or longer', large: 'a call whose result is over 256 KiB', write: 'a call of a tool with the effect write or external' };
    throw new NotTried(`Name ${needs[which]} as "${which}" in the plan.`);
  }

  effectOf(tool: string): string | undefined {
    return this.manifest?.tools.find(({ name }) => name === tool)?.effect;
  }

  /** A grant for all announced tools and the planned one. */
  grant(claims: object = {}, by: Signer = this.peers.signer): Promise<string> {
    const names = [this.plan.call.tool, ...(this.manifest?.tools ?? []).map(({ name }) => name)];
    const tools = Object.fromEntries(names.map((name) => [name, 'conformance@1.0.0#00']));
    return by.sign({ typ: 'grant', aud: this.name, ...this.ids, tools, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 60, ...claims });
  }

  async send(delivery: Delivery = {}): Promise<Reply> {
    const { tool = this.plan.call.tool, turn = this.ids.turn, claims = {}, deadlineIn = 30_000, cancelId, waitMs = patienceMs } = delivery;
    this.turns.add(turn);
    const args = delivery.arguments ?? this.plan.call.arguments;
    const grant = delivery.grant === undefined ? await this.grant(claims) : delivery.grant;
    const callId = delivery.callId === undefined ? randomUUID() : delivery.callId;
    const headers = {
      ...{ 'turn-id': turn, deadline: String(Date.now() + deadlineIn) },
      ...(callId !== null && { 'call-id': callId }),
      ...(grant !== null && { grant }),
      ...(cancelId && { 'cancel-id': cancelId }),
    };
    const body = delivery.body ?? JSON.stringify({ arguments: args });
    const { grant: _secret, ...plain } = headers;
    const how = grant === null ? 'no grant' : delivery.grant === undefined ? `a grant${Object.keys(claims).length > 0 ? ` with ${JSON.stringify(claims)}` : ''}` : 'the grant of this rule';
    return this.ask(toolSubject(this.name, tool), body, headers, waitMs, `${JSON.stringify(plain)} and ${how}`);
  }

  async settle(question: unknown, deadlineIn = 5_000): Promise<Reply & { settlement?: Settlement }> {
    const reply = await this.ask(settleSubject(this.name), JSON.stringify(question), { deadline: String(Date.now() + deadlineIn) }, patienceMs, `a deadline in ${deadlineIn} ms`);
    return { ...reply, settlement: reply.ok as Settlement | undefined };
  }

  cancel(cancelId: string): void {
    this.peers.orchestrator.sayRaw({ subject: cancelSubject(this.name), body: new Uint8Array(0), headers: { 'cancel-id': cancelId } });
  }

  /** A good call must work: else what follows says nothing. */
  async mustWork(delivery: Delivery, advice: string): Promise<Reply> {
    const reply = await this.send(delivery);
    if (reply.ok) return reply;
    throw new Broken(reply.sent, reply.came, advice);
  }

  /** @param kind of the error; any of them unless given */
  async mustRefuse(delivery: Delivery, slug: string, advice: string, kind?: WireError['kind']): Promise<Reply> {
    return requireSlug(await this.send(delivery), slug, advice, kind);
  }

  private async ask(subject: string, body: string, headers: Record<string, string>, waitMs: number, how: string): Promise<Reply> {
    const sent = `${subject} ${shown(body)} with ${how}`;
    let data: Uint8Array | undefined;
    try {
      data = await this.peers.orchestrator.askRaw({ subject, body: Buffer.from(body), headers }, waitMs);
    } catch (error) {
      const slug = isUnavailable(error, 'no-responder') ? 'nobody hears this subject' : String((error as Error).message);
      return { sent, came: slug, bytes: 0 };
    }
    if (!data) return { sent, came: `no answer within ${waitMs} ms`, bytes: 0 };
    const text = Buffer.from(data).toString('utf8');
    const envelope = parse(text);
    return { sent, came: shown(text, 400), text, bytes: data.length, ...(envelope?.ok !== undefined && { ok: envelope.ok as ToolResult }), ...(envelope?.error && { error: envelope.error }) };
  }
}

function parse(text: string): { ok?: unknown; error?: WireError } | undefined {
  try {
    return JSON.parse(text) as { ok?: unknown; error?: WireError };
  } catch {
    return undefined;
  }
}

export function requireSlug(reply: Reply, slug: string, advice: string, kind?: WireError['kind']): Reply {
  const { error } = reply;
  if (error?.slug === slug && typeof error.message === 'string' && (!kind || error.kind === kind)) return reply;
  throw new Broken(reply.sent, reply.came, `${advice} Answer with {"error":{"kind":"${kind ?? 'refusal'}","slug":"${slug}","message":"…"}}.`);
}
