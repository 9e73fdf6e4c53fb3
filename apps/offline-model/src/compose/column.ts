import type { Table } from './read-delimited.js';

export interface Column {
  name: string;
  kind: 'number' | 'identifier' | 'date' | 'category' | 'text';
  /** In row order, '' where empty. */
  cells: string[];
  filled: number;
  distinct: number;
  /** For numbers: the values, null where a cell is empty or is no number. */
  values: (number | null)[];
  /** Cells of a number column that hold something else. */
  unread: number;
  /** For categories: value and rows, most frequent first. */
  top: [string, number][];
  /** Text around the numbers of a column: "$", "%", "€". */
  unit: string;
  /** Decimals that the cells are written with, at most. */
  decimals: number;
}

/** Share of the filled cells that must be numbers (or dates) for the column to be one of numbers (or dates). */
const leastShare = 0.9;
/** A column with more different values is text, not a category. */
const mostCategories = 30;

export function readColumn(table: Table, index: number): Column {
  const cells = table.rows.map((row) => row[index]!);
  const filled = cells.filter((cell) => cell !== '');
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const values = cells.map((cell) => (cell === '' ? null : toNumber(cell, table.decimalComma)));
  const numbers = values.filter((value) => value !== null).length;
  const name = table.columns[index]!;
  const top = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const kind = kindOf(name, filled, numbers, counts.size);
  return {
    name,
    kind,
    cells,
    filled: filled.length,
    distinct: counts.size,
    values,
    unread: filled.length - numbers,
    top,
    unit: kind === 'number' ? unitOf(filled) : '',
    decimals: kind === 'number' ? decimalsOf(filled, table.decimalComma) : 0,
  };
}

function kindOf(name: string, filled: string[], numbers: number, distinct: number): Column['kind'] {
  if (filled.length === 0) return 'text';
  // Sums and means of what only names a row say nothing. "Number" may also be an amount: only unique ones name rows.
  if (/(?:^|[\s_-])(?:id|code|key|uuid|zip|phone)$|^id[\s_-]/i.test(name) || /[a-z]I[Dd]$/.test(name)) return 'identifier';
  if (/(?:^|[\s_-])(?:no|nr|number)\.?$/i.test(name) && distinct === filled.length) return 'identifier';
  if (filled.filter((cell) => /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}.*)?$/.test(cell)).length >= filled.length * leastShare)
    return 'date';
  // Years are points in time: a mean of them says nothing.
  if (/^(?:year|jahr)$/i.test(name)) return 'category';
  if (numbers >= filled.length * leastShare) return 'number';
  return distinct <= mostCategories && distinct < filled.length ? 'category' : 'text';
}

const around = /^([-−(]?)\s*([$€£¥]?)\s*([-−]?)\s*([\d.,'  ]*\d)\s*(%|[$€£¥]|EUR|USD|GBP|CHF)?\s*(\)?)$/;

/** The number in a cell with its thousands marks, currency or percent; brackets mean negative. Null when it is none. */
export function toNumber(cell: string, decimalComma: boolean): number | null {
  if (/^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i.test(cell)) return Number(cell);
  const match = around.exec(cell.replace(/^\+/, ''));
  if (!match || (match[1] === '(') !== (match[6] === ')')) return null;
  const digits = match[4]!.replace(/[' \u00a0\u202f]/g, '');
  const plain = decimalComma ? digits.replaceAll('.', '').replace(',', '.') : digits;
  if (!decimalComma && /,/.test(plain) && !/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) return null;
  const value = Number(plain.replaceAll(',', ''));
  if (!Number.isFinite(value)) return null;
  return match[1] !== '' || match[3] !== '' ? -value : value;
}

function unitOf(cells: string[]): string {
  const units = new Set(cells.map((cell) => /[$€£¥%]|EUR|USD|GBP|CHF/.exec(cell)?.[0] ?? ''));
  return units.size === 1 ? [...units][0]! : '';
}

function decimalsOf(cells: string[], decimalComma: boolean): number {
  const mark = decimalComma ? /,(\d+)\D*$/ : /\.(\d+)\D*$/;
  return cells.reduce((most, cell) => Math.max(most, mark.exec(cell)?.[1]!.length ?? 0), 0);
}
