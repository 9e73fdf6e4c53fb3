import type { Metric } from './metric.js';

/** Beyond it the rows that were told longest ago go: a development stack may run for days, and each start has rows of its own. */
const mostRows = 20_000;

/** The last value of each row. */
export class KeptMetrics {
  private readonly rows = new Map<string, Metric>();

  keep(metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      const { service, instance, name, attributes } = metric;
      const key = JSON.stringify([service, instance, name, Object.entries(attributes).sort(([a], [b]) => a.localeCompare(b))]);
      this.rows.delete(key); // so that it stands behind those that nobody tells of any more
      this.rows.set(key, metric);
    }
    for (const oldest of this.rows.keys()) {
      if (this.rows.size <= mostRows) break;
      this.rows.delete(oldest);
    }
  }

  /** Those whose name is `name` or begins with `name.`, or all. */
  read(name = ''): Metric[] {
    return [...this.rows.values()].filter((metric) => name === '' || metric.name === name || metric.name.startsWith(`${name}.`));
  }

  clear(): void {
    this.rows.clear();
  }
}
