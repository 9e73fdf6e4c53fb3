/** The value below which this part of them lies, 0.5 for the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** Three significant digits: more than a clock is good for. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
