import { escapeUnseen, faultOfName } from '@skillgate/contracts/plain-text';
import { heartbeatMs, type Announcement, type HeardAnnouncement, type MalformedTool } from '@skillgate/contracts/tool-manifest';
import type { JudgedTool } from './judge-tool.js';

/** One process of an executor, as it last spoke of itself. */
export interface LivingInstance {
  readonly executor: string;
  readonly instance: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly heardAt: number;
  readonly tools: readonly JudgedTool[];
  /** What it announced beside them that is no manifest. */
  readonly malformed?: readonly MalformedTool[];
}

/** Three missed heartbeats, and half of one for the way, make an instance gone. */
export const silenceMs = heartbeatMs * 3.5;

/** Tools of all living instances of one executor together, an instance without any counting as one: forty instances of a hundred tools. */
export const maxHeldTools = 4_096;

/**
 * Who serves now, in memory: every registry replica hears every heartbeat, so that nothing is written and a replica
 * that starts knows the house after one heartbeat.
 */
export class Announcements {
  readonly #instances = new Map<string, LivingInstance & { text: string }>();

  constructor(
    private readonly judge: (tools: Announcement['tools']) => JudgedTool[],
    private readonly now: () => number = Date.now,
  ) {}

  /** Is there no room for what this instance announces, beside what the executor's other instances do? Then it is not heard. */
  isFull({ executor, instance, tools }: Pick<Announcement, 'executor' | 'instance' | 'tools'>): boolean {
    const others = this.living(executor).filter((one) => one.instance !== instance);
    return others.reduce((sum, one) => sum + weightOf(one.tools), weightOf(tools)) > maxHeldTools;
  }

  /** @returns true when this says something else than the instance's last announcement did. */
  hear(announcement: Announcement & Partial<HeardAnnouncement>): boolean {
    const { executor, instance, version, state, tools, malformed = [] } = announcement;
    const key = `${executor}/${instance}`;
    const before = this.#instances.get(key);
    this.#forgetSilent();
    if (state === 'leaving') return this.#instances.delete(key);

    if (this.isFull(announcement)) return this.#instances.delete(key);

    // Heartbeats repeat themselves: judge only what is new.
    const text = JSON.stringify([version, tools, malformed]);
    const known = before?.text === text;
    const judged = known ? before.tools : underVersion(version, this.judge(tools));
    this.#instances.set(key, { executor, instance, version: escapeUnseen(version).slice(0, shownVersion), heardAt: this.now(), tools: judged, malformed, text });
    return !known;
  }

  /** Instances heard within the last three heartbeats, the one heard last first. */
  living(executor?: string): LivingInstance[] {
    const oldest = this.now() - silenceMs;
    return [...this.#instances.values()]
      .filter((one) => one.heardAt >= oldest && (executor === undefined || one.executor === executor))
      .sort((a, b) => b.heardAt - a.heardAt);
  }

  #forgetSilent(): void {
    const oldest = this.now() - silenceMs;
    for (const [key, one] of this.#instances) if (one.heardAt < oldest) this.#instances.delete(key);
  }
}

const weightOf = (tools: readonly unknown[]): number => Math.max(1, tools.length);

/** Characters of a version that people are shown. */
const shownVersion = 100;

/** A version that cannot be told by looking at it stands beside every tool, so it holds back all of them. */
function underVersion(version: string, tools: JudgedTool[]): JudgedTool[] {
  const fault = version.length > shownVersion ? `has more than ${shownVersion} characters` : faultOfName(version);
  if (!fault) return tools;
  return tools.map((tool) => ({ ...tool, fault: tool.fault ?? { slug: 'tool-quarantined', reason: `the version of the executor ${fault}` } }));
}
