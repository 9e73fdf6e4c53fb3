import type { Slice } from './in-flight.js';
import { quantile, rounded } from './quantile.js';

/** One slice of one side. */
export interface Measured extends Slice {
  readonly side: string;
  readonly inFlight: number;
  readonly round: number;
  /** Milliseconds of processor of all its processes, NATS and PostgreSQL included; null where nobody can say. */
  readonly cpuMs: number | null;
}

interface Latency {
  /** Milliseconds of a whole turn with a model that takes no time: all of it is added. */
  addedP50: number;
  addedP99: number;
  chainP50: number;
  chainP99: number;
  ratioP50: number;
  ratioP99: number;
  turnsPerSecond: number;
  chain: number;
  ai: number;
  /** Of turns per second. */
  ratioChain: number;
  ratioAi: number;
}

export interface TurnResult {
  inFlight: Record<string, Latency>;
  /** At 64 in flight, with NATS and PostgreSQL. */
  cpuMsPerTurn: number | null;
  /** Of what one processor could do in a second. */
  turnsPerCpuSecond: Record<'ours' | 'chain' | 'ai', number | null>;
  /** Turns that came to nothing: a machine that is too busy makes them, and they are in no other figure. */
  failed: Record<string, number>;
  /** By process, after the load. */
  rssMb: Record<string, number>;
  /** Share of turns per second that tracing costs at 64 in flight. */
  tracingCost: number;
  /** 95%, from the differences of neighbouring slices. */
  tracingCostInterval: [low: number, high: number];
  /** Share by which tracing makes a turn dearer in processor time: it hardly depends on what else the machine does. */
  tracingCpuCost: number | null;
}

export function summarise(measured: readonly Measured[], rssMb: Record<string, number>): TurnResult {
  const of = (side: string, inFlight: number) => measured.filter((each) => each.side === side && each.inFlight === inFlight);
  const loads = [...new Set(measured.map(({ inFlight }) => inFlight))];
  const busiest = Math.max(...loads);
  const cpu = (side: string) => cpuMsOf(of(side, busiest));
  const perCpuSecond = (side: string) => {
    const ms = cpu(side);
    return ms === null ? null : rounded(1_000 / ms);
  };
  const { cost, interval } = costOf(of('ours', busiest), of('traced', busiest));
  return {
    inFlight: Object.fromEntries(loads.map((inFlight) => [inFlight, latencyOf(of('ours', inFlight), of('chain', inFlight), of('ai', inFlight))])),
    cpuMsPerTurn: cpu('ours') === null ? null : rounded(cpu('ours')!),
    turnsPerCpuSecond: { ours: perCpuSecond('ours'), chain: perCpuSecond('chain'), ai: perCpuSecond('ai') },
    failed: Object.fromEntries([...new Set(measured.map(({ side }) => side))].map((side) => [side, sum(measured.filter((each) => each.side === side).map(({ failures }) => failures.length))])),
    rssMb,
    tracingCost: rounded(cost),
    tracingCostInterval: [rounded(interval[0]), rounded(interval[1])],
    tracingCpuCost: cpu('ours') === null || cpu('traced') === null ? null : rounded(cpu('traced')! / cpu('ours')! - 1),
  };
}

function latencyOf(ours: readonly Measured[], chain: readonly Measured[], ai: readonly Measured[]): Latency {
  const at = (side: readonly Measured[], part: number) => quantile(side.flatMap(({ latencies }) => latencies), part);
  const [added, bare] = [{ p50: at(ours, 0.5), p99: at(ours, 0.99) }, { p50: at(chain, 0.5), p99: at(chain, 0.99) }];
  const [turns, chainTurns, aiTurns] = [rateOf(ours), rateOf(chain), rateOf(ai)];
  const figures = {
    ...{ addedP50: added.p50, addedP99: added.p99, chainP50: bare.p50, chainP99: bare.p99, ratioP50: added.p50 / bare.p50, ratioP99: added.p99 / bare.p99 },
    ...{ turnsPerSecond: turns, chain: chainTurns, ai: aiTurns, ratioChain: turns / chainTurns, ratioAi: turns / aiTurns },
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])) as unknown as Latency;
}

const rateOf = (slices: readonly Slice[]): number => (sum(slices.map(({ done }) => done)) / sum(slices.map(({ ms }) => ms))) * 1_000;

function cpuMsOf(slices: readonly Measured[]): number | null {
  if (slices.some(({ cpuMs }) => cpuMs === null)) return null;
  return sum(slices.map(({ cpuMs }) => cpuMs!)) / sum(slices.map(({ done }) => done));
}

/** Student's t, two-sided 95%, by degrees of freedom from 1. */
const student = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];

/** What the second side has less of than the first, round by round: neighbours in time share what else the machine does. */
export function costOf(first: readonly Measured[], second: readonly Measured[]): { cost: number; interval: [number, number] } {
  const costs = first.map((one) => 1 - rateOf(second.filter(({ round }) => round === one.round)) / rateOf([one]));
  const mean = sum(costs) / costs.length;
  const spread = Math.sqrt(sum(costs.map((cost) => (cost - mean) ** 2)) / Math.max(costs.length - 1, 1));
  const half = ((student[costs.length - 2] ?? 1.96) * spread) / Math.sqrt(costs.length);
  return { cost: mean, interval: [mean - half, mean + half] };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
