/** How much was done in which time. */
export interface Work {
  readonly done: number;
  readonly ms: number;
}

export interface Comparison {
  /** Of ours. */
  perSecond: number;
  bare: number;
  ratio: number;
}

/** Slices of the time that each side gets: what else the machine does hits both alike. */
const slices = 4;

/** Lets both sides work in turn, ours and bare, and sets their rates beside each other. */
export async function compare(seconds: number, ours: (ms: number) => Promise<Work>, bare: (ms: number) => Promise<Work>): Promise<Comparison> {
  const total = { ours: { done: 0, ms: 0 }, bare: { done: 0, ms: 0 } };
  const sliceMs = (seconds * 1000) / slices;
  await ours(sliceMs); // both warm, neither counted: services run for days, and V8 compiles what is hot for about a second
  await bare(sliceMs);
  for (let slice = 0; slice < slices; slice++) {
    for (const [side, work] of [['ours', ours], ['bare', bare]] as const) {
      const { done, ms } = await work(sliceMs);
      total[side].done += done;
      total[side].ms += ms;
    }
  }
  const rate = ({ done, ms }: Work) => Math.round((done / ms) * 1000);
  const [perSecond, bareRate] = [rate(total.ours), rate(total.bare)];
  return { perSecond, bare: bareRate, ratio: Math.round((perSecond / bareRate) * 100) / 100 };
}
