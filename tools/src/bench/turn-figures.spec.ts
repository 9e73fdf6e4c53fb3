import { describe, expect, it } from '@jest/globals';
import { costOf, type Measured, summarise } from './turn-figures.js';

const slice = (side: string, inFlight: number, round: number, ms: number, done = 10): Measured => ({ side, inFlight, round, done, ms: 1_000, latencies: Array<number>(done).fill(ms), failures: round === 1 ? ['busy'] : [], cpuMs: done * 5 });

describe('the figures of the turn bench', () => {
  const measured = [1, 64].flatMap((inFlight) => [
    ...[slice('ours', inFlight, 0, 30), slice('ours', inFlight, 1, 30)],
    ...[slice('chain', inFlight, 0, 20, 15), slice('chain', inFlight, 1, 20, 15)],
    ...[slice('ai', inFlight, 0, 10, 5), slice('ai', inFlight, 1, 10, 5)],
    ...(inFlight === 64 ? [slice('traced', 64, 0, 30, 9), slice('traced', 64, 1, 30, 9)] : []),
  ]);
  const result = summarise(measured, { gateway: 100 });

  it('sets latencies and turns per second of both sides beside each other', () => {
    expect(result.inFlight['1']).toMatchObject({ addedP50: 30, chainP50: 20, ratioP50: 1.5, ratioP99: 1.5 });
    expect(result.inFlight['64']).toMatchObject({ turnsPerSecond: 10, chain: 15, ai: 5, ratioAi: 2 });
  });

  it('counts processor time by turn, and turns by second of it', () => {
    expect(result.cpuMsPerTurn).toBe(5);
    expect(result.turnsPerCpuSecond).toEqual({ ours: 200, chain: 200, ai: 200 });
  });

  it('counts what came to nothing, by side', () => {
    expect(result.failed).toEqual({ ours: 2, chain: 2, ai: 2, traced: 1 });
  });

  it('says nothing of processor time where nobody can', () => {
    const unknown = summarise(measured.map((each) => ({ ...each, cpuMs: null })), {});
    expect(unknown.cpuMsPerTurn).toBeNull();
    expect(unknown.turnsPerCpuSecond.ours).toBeNull();
  });

  it('gives the cost of tracing with an interval that narrows when rounds agree', () => {
    expect(result.tracingCost).toBeCloseTo(0.1, 5);
    expect(result.tracingCpuCost).toBeCloseTo(0, 5);
    expect(result.tracingCostInterval[1] - result.tracingCostInterval[0]).toBeCloseTo(0, 5);
    const rounds = (done: number[]) => done.map((each, round) => slice('x', 64, round, 1, each));
    const { cost, interval } = costOf(rounds([10, 10, 10]), rounds([10, 9, 8]));
    expect(cost).toBeCloseTo(0.1, 5);
    expect(interval[0]).toBeLessThan(0);
    expect(interval[1]).toBeGreaterThan(0.2);
  });
});
