import { CsvError, parse } from 'csv-parse/sync';

export interface CsvShape {
  /** Names in the first line. */
  columns: string[];
  /** Records after the first line. */
  rows: number;
  delimiter: string;
  /** What does not fit, in words for the model. */
  notes: string[];
}

/** Columns told at most; a wider table is named by count. */
const mostColumns = 200;

/** Reads the whole table once, keeping only its shape. Quoted fields may hold delimiters and line ends. */
export function describeCsv(text: string, tabs: boolean): CsvShape {
  const delimiter = tabs ? '\t' : delimiterOf(text);
  const notes: string[] = [];
  let columns: string[] = [];
  let records = 0;
  let ragged = 0;
  const see = (record: string[]): null => {
    records += 1;
    if (records === 1) columns = record;
    else if (record.length !== columns.length) ragged += 1;
    return null; // keeps nothing: a file may have a million rows
  };
  try {
    parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, on_record: see as never });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    notes.push(`The table could be read only up to line ${String(error.lines ?? '?')} (${error.code}); rows after it are not counted.`);
  }
  if (ragged > 0) notes.push(`${ragged} row(s) have more or fewer fields than the ${columns.length} columns.`);
  if (columns.length > mostColumns) notes.push(`Only the first ${mostColumns} of ${columns.length} columns are named.`);
  return { columns: columns.slice(0, mostColumns), rows: Math.max(0, records - 1), delimiter, notes };
}

/** The sign that the first line has most of, outside quotes; a comma when there is none. */
function delimiterOf(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: first.split(sign).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}
