import { Examined, type StartSubject } from './examined.js';
import type { ConformPlan } from './plan.js';
import { playHouse } from './peers.js';
import type { ConformReport, RuleReport } from './report.js';
import { Broken, NotTried, type Rule } from './rule.js';
import { callRules } from './rules-call.js';
import { grantRules } from './rules-grant.js';
import { ledgerRules } from './rules-ledger.js';
import { heartbeatRules, presenceRules } from './rules-presence.js';
import { drainRules, stopRules } from './rules-stop.js';

/** In this order: what later rules need is looked at first, what ends the executor last. */
export const conformRules: readonly Rule[] = [...presenceRules, ...callRules, ...grantRules, ...stopRules, ...ledgerRules, ...heartbeatRules, ...drainRules];

export interface ConformOptions {
  readonly executor: string;
  readonly plan: ConformPlan;
  /** A NATS server with the users of `conformEdges`, and no house. */
  readonly servers: string;
  /** Of registry, orchestrator, accounts and artifacts. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Starts an instance; without it one is started by hand, and what needs to start and end it is not tried. */
  readonly start?: StartSubject;
  /** Milliseconds in which it must have announced itself; 20,000 unless given. */
  readonly announceWithinMs?: number;
  /** Hears of each rule as soon as it was tried. */
  readonly tell?: (rule: RuleReport) => void;
}

/**
 * Tries an executor in any language: plays the house on a NATS server and sends what an executor must take, refuse and survive. It
 * takes half a minute.
 *
 * @throws when NATS cannot be reached, or a house runs there; what the executor does wrong stands in the report
 */
export async function conform({ executor, plan, servers, passwords, start, announceWithinMs, tell }: ConformOptions): Promise<ConformReport> {
  const peers = await playHouse(executor, servers, passwords);
  const examined = new Examined(executor, plan, peers, start, announceWithinMs);
  try {
    if (start) examined.subjects.push(await start());
    const rules: RuleReport[] = [];
    for (const rule of conformRules) {
      const report = await tryRule(rule, examined);
      rules.push(report);
      tell?.(report);
      if (rule.rule === 'announces' && report.verdict === 'broken') break; // nobody is there, and every rule would say so
    }
    const count = (verdict: RuleReport['verdict']) => rules.filter((one) => one.verdict === verdict).length;
    return { executor, version: examined.manifest?.version ?? null, kept: count('kept'), broken: count('broken'), notTried: count('not-tried'), rules };
  } finally {
    await Promise.all(examined.subjects.map((subject) => subject.stop()));
    await peers.close();
  }
}

async function tryRule({ rule, title, try: attempt }: Rule, executor: Examined): Promise<RuleReport> {
  try {
    await attempt(executor);
    return { rule, title, verdict: 'kept' };
  } catch (error) {
    if (error instanceof NotTried) return { rule, title, verdict: 'not-tried', advice: error.message };
    if (!(error instanceof Broken)) throw error;
    const { sent, came, advice } = error;
    return { rule, title, verdict: 'broken', sent, came, advice };
  }
}
