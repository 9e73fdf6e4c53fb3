import { readColumn, type Column } from './column.js';
import type { Table } from './read-delimited.js';

export interface TableSummary {
  /** Rows, columns, gaps: one sentence each. */
  overview: string[];
  /** What stands out: totals, extremes, leading groups. */
  points: string[];
  /** One line a column. */
  columns: string[];
}

const mostColumns = 10;
const mostPoints = 5;

/** Counts and sums, nothing else: every sentence can be checked against the file. */
export function summariseTable(table: Table): TableSummary {
  const columns = table.columns.map((_, i) => readColumn(table, i));
  const empty = columns.map((column) => ({ name: column.name, gaps: table.rows.length - column.filled })).filter(({ gaps }) => gaps > 0);
  const repeated = table.rows.length - new Set(table.rows.map((row) => row.join('\u0000'))).size;
  return {
    overview: [
      `The table has ${count(table.rows.length, 'row')} and ${count(columns.length, 'column')}: ${some(table.columns)}.`,
      ...(empty.length > 0 ? [`Empty cells: ${some(empty.map(({ name, gaps }) => `${name} ${format(gaps)}`))}.`] : []),
      ...(repeated > 0 ? [`${count(repeated, 'row')} ${repeated === 1 ? 'repeats' : 'repeat'} another exactly.`] : []),
      ...(table.ragged > 0 ? [`In ${count(table.ragged, 'row')} the number of cells differs from the header's.`] : []),
    ],
    points: points(columns).slice(0, mostPoints),
    columns: [
      ...columns.slice(0, mostColumns).map(describe),
      ...(columns.length > mostColumns
        ? [`${count(columns.length - mostColumns, 'further column')} not described: ${some(table.columns.slice(mostColumns))}.`]
        : []),
    ],
  };
}

/** As many names as a sentence bears. */
function some(names: string[]): string {
  return names.length <= 12 ? names.join(', ') : `${names.slice(0, 12).join(', ')} and ${format(names.length - 12)} more`;
}

function points(columns: Column[]): string[] {
  const measures = columns.filter((column) => column.kind === 'number');
  const groups = columns.filter((column) => column.kind === 'category' && column.distinct >= 2);
  const byGroup = groups.slice(0, 2).flatMap((group) => measures.slice(0, 2).flatMap((measure) => groupTotals(group, measure)));
  const ranges = columns
    .filter((column) => column.kind === 'date' && column.distinct > 1)
    .map((column) => `${column.name} runs from ${span(column).join(' to ')}.`);
  const frequent = groups
    .filter((group) => group.top[0]![1] > group.top[1]![1])
    .map(
      (group) => `The most frequent ${group.name} is ${group.top[0]![0]} (${format(group.top[0]![1])} of ${count(group.filled, 'row')}).`,
    );
  return [...measures.slice(0, 2).map(totals), ...ranges, ...byGroup.slice(0, 2), ...frequent];
}

function totals(column: Column): string {
  const values = numbersOf(column);
  // A sum of percentages means nothing.
  const sum = column.unit === '%' ? '' : `adds up to ${amount(total(values), column)}, `;
  const range = `ranges from ${amount(least(values), column)} to ${amount(greatest(values), column)}`;
  return `${column.name} ${sum}${range} and is ${amount(mean(values), column, true)} on average.`;
}

function groupTotals(group: Column, measure: Column): string[] {
  if (measure.unit === '%') return [];
  const sums = new Map<string, number>();
  group.cells.forEach((cell, i) => {
    if (cell !== '' && measure.values[i] !== null) sums.set(cell, (sums.get(cell) ?? 0) + measure.values[i]!);
  });
  const ranked = [...sums].sort((a, b) => b[1] - a[1]);
  if (ranked.length < 2) return [];
  const shown = ranked.slice(0, 3).map(([name, sum]) => `${name} ${amount(sum, measure)}`);
  return [`${measure.name} by ${group.name}: ${shown.join('; ')}${ranked.length > 3 ? `; ${format(ranked.length - 3)} more` : ''}.`];
}

function span(column: Column): [string, string] {
  // ISO dates sort as text.
  const days = column.cells.filter((cell) => cell !== '').sort();
  return [days[0]!, days.at(-1)!];
}

function describe(column: Column): string {
  const gaps = column.unread > 0 && column.kind === 'number' ? ` (${count(column.unread, 'cell')} not a number)` : '';
  if (column.filled === 0) return `${column.name}: empty.`;
  if (column.kind === 'number') {
    const values = numbersOf(column);
    const [low, high, middle] = [amount(least(values), column), amount(greatest(values), column), amount(mean(values), column, true)];
    return `${column.name}: minimum ${low}, maximum ${high}, mean ${middle}${gaps}.`;
  }
  if (column.distinct === 1) return `${column.name}: always ${column.top[0]![0]}.`;
  if (column.kind === 'date') return `${column.name}: ${count(column.distinct, 'date')} between ${span(column).join(' and ')}.`;
  if (column.kind === 'category') {
    const more = column.distinct > 4 ? `; ${format(column.distinct - 4)} more` : '';
    return `${column.name}: ${column.top
      .slice(0, 4)
      .map(([value, rows]) => `${value} (${format(rows)})`)
      .join('; ')}${more}.`;
  }
  return `${column.name}: ${count(column.distinct, 'different value')}.`;
}

const numbersOf = (column: Column): number[] => column.values.filter((value) => value !== null);
const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: number[]): number => total(values) / values.length;
const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b));
const greatest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b));

const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
/** English digits with thousands marks, two decimals at most. */
export const format = (value: number): string => shown.format(value);

export function count(amount: number, noun: string): string {
  return `${format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** A value of the column in its own unit and with its own decimals; a mean may need two more than whole numbers have. */
function amount(value: number, { unit, decimals }: Column, mean = false): string {
  const digits = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: Math.min(decimals, 6),
    maximumFractionDigits: Math.max(Math.min(decimals, 6), mean ? 2 : 0),
  }).format(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  if (unit === '') return sign + digits;
  if (/^[$€£¥]$/.test(unit)) return sign + unit + digits;
  return unit === '%' ? `${sign}${digits}%` : `${sign}${digits} ${unit}`;
}
