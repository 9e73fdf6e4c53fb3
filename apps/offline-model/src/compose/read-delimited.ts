export interface Table {
  columns: string[];
  /** As many cells as columns in every row, trimmed. */
  rows: string[][];
  /** Rows that had fewer or more cells than the header; they are padded or cut, and counted here. */
  ragged: number;
  /** Numbers are written 1.234,5. */
  decimalComma: boolean;
}

/** Comma, semicolon, tab or bar separated text with quotes as in RFC 4180. Undefined when it is no table. */
export function readDelimited(text: string): Table | undefined {
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = sniff(clean);
  if (!delimiter) return undefined;
  const records = splitRecords(clean, delimiter).filter((record) => record.some((cell) => cell.trim() !== ''));
  const header = records[0];
  if (!header || header.length < 2 || records.length < 2) return undefined;
  const columns = header.map((cell, i) => cell.trim() || `column ${i + 1}`);
  const body = records.slice(1);
  const rows = body.map((record) => columns.map((_, i) => (record[i] ?? '').trim()));
  return {
    columns,
    rows,
    ragged: body.filter((record) => record.length !== columns.length).length,
    decimalComma: delimiter !== ',' && writesDecimalComma(rows),
  };
}

/** The mark that parts the header into most cells, quoted parts left out. */
function sniff(text: string): string | undefined {
  const header = (text.split('\n').find((line) => line.trim() !== '') ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((mark) => ({ mark, count: header.split(mark).length - 1 })).sort((a, b) => b.count - a.count);
  return counted[0]!.count > 0 ? counted[0]!.mark : undefined;
}

function splitRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = (): void => {
    record.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (character === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (character === delimiter) endCell();
    else if (character === '\n') {
      endCell();
      records.push(record);
      record = [];
    } else cell += character;
  }
  if (cell !== '' || record.length > 0) {
    endCell();
    records.push(record);
  }
  return records;
}

function writesDecimalComma(rows: string[][]): boolean {
  const cells = rows.slice(0, 200).flat();
  return (
    cells.some((cell) => /^-?\d{1,3}(?:\.\d{3})*,\d+$|^-?\d+,\d{1,2}$/.test(cell)) && !cells.some((cell) => /^-?\d+\.\d{1,2}$/.test(cell))
  );
}
