import { describe, expect, it } from '@jest/globals';
import { toNumber } from './column.js';
import { readDelimited } from './read-delimited.js';
import { summariseTable } from './summarise-table.js';

describe('reading delimited text', () => {
  it('takes quotes, doubled quotes, line ends in cells, and gaps', () => {
    const table = readDelimited('\uFEFFname,said\r\n"Oak, old","He said ""no""\r\ntwice"\r\nElm,\r\n\r\n');
    expect(table).toMatchObject({
      columns: ['name', 'said'],
      rows: [
        ['Oak, old', 'He said "no"\ntwice'],
        ['Elm', ''],
      ],
      ragged: 0,
    });
  });

  it.each([';', '\t', '|'])('finds the delimiter %j', (mark) =>
    expect(readDelimited(`a${mark}b\n1${mark}2`)).toMatchObject({ columns: ['a', 'b'], rows: [['1', '2']] }),
  );

  it('counts rows of another length', () =>
    expect(readDelimited('a,b\n1\n1,2,3\n1,2')).toMatchObject({
      ragged: 2,
      rows: [
        ['1', ''],
        ['1', '2'],
        ['1', '2'],
      ],
    }));

  it('says when it is no table', () => expect(readDelimited('just words')).toBeUndefined());
});

describe('numbers in cells', () => {
  it.each([
    ['1,234.50', false, 1234.5],
    ['1.234,50', true, 1234.5],
    ['$ 12', false, 12],
    ['-3.5 %', false, -3.5],
    ['(40)', false, -40],
    ['12 EUR', false, 12],
    ['1e3', false, 1000],
    ['1,2', false, null],
    ['12 apples', false, null],
    ['2026-01-02', false, null],
    ['(40', false, null],
  ])('%s', (cell, comma, value) => expect(toNumber(cell, comma)).toBe(value));
});

describe('summing up a table', () => {
  const csv =
    'order_id,date,region,amount,rate\n1,2026-01-03,North,120.50,5%\n2,2026-02-02,South,1000.00,15%\n3,2026-01-20,North,30.25,\n3,2026-01-20,North,30.25,';
  const summary = summariseTable(readDelimited(csv)!);

  it('counts rows, columns, gaps and repeats', () => {
    expect(summary.overview).toEqual([
      'The table has 4 rows and 5 columns: order_id, date, region, amount, rate.',
      'Empty cells: rate 2.',
      '1 row repeats another exactly.',
    ]);
  });

  it('sums, ranges and groups with the decimals of the file', () => {
    expect(summary.points).toContain('amount adds up to 1,181.00, ranges from 30.25 to 1,000.00 and is 295.25 on average.');
    expect(summary.points).toContain('amount by region: South 1,000.00; North 181.00.');
    expect(summary.points).toContain('date runs from 2026-01-03 to 2026-02-02.');
  });

  it('never adds up percentages', () =>
    expect(summary.points.find((point) => point.startsWith('rate'))).toBe('rate ranges from 5% to 15% and is 10% on average.'));

  it('adds up no percentages by group either', () => {
    const { points } = summariseTable(readDelimited('city,rate\nOslo,5%\nRome,7%\nOslo,9%')!);
    expect(points).toEqual(['rate ranges from 5% to 9% and is 7% on average.', 'The most frequent city is Oslo (2 of 3 rows).']);
  });

  it('describes each column in a line', () => expect(summary.columns).toContain('region: North (3); South (1).'));

  it('does not average what only numbers rows', () => {
    const { points, columns } = summariseTable(readDelimited('id,n\n7,1\n9,3')!);
    expect(points).toEqual(['n adds up to 4, ranges from 1 to 3 and is 2 on average.']);
    expect(columns[0]).toBe('id: 2 different values.');
  });
});
