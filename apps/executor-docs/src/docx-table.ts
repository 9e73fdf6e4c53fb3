import { AlignmentType, BorderStyle, Paragraph, Table, TableCell, TableLayoutType, TableRow, WidthType } from 'docx';
import type { Table as MdTable, TableRow as MdTableRow } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { isRightToLeft, paragraphDirection } from './bidi.js';
import { runsOf } from './docx-runs.js';
import { page, rule, shade } from './docx-styles.js';

/** Characters beyond which a cell wraps instead of widening its column, and the least that a column is given. */
const widest = 40;
const narrowest = 5;

const line = { style: BorderStyle.SINGLE, size: 4, color: rule };
const borders = { top: line, bottom: line, left: line, right: line, insideHorizontal: line, insideVertical: line };

/** @param indent of the list or quote around it, in twentieths of a point */
export function tableOf(table: MdTable, indent: number): Table {
  const columnWidths = widthsOf(table, page.textWidth - indent);
  const rows = table.children.map((row, index) => rowOf(row, index === 0, table, columnWidths));
  return new Table({
    rows,
    columnWidths,
    borders,
    width: { size: columnWidths.reduce((sum, width) => sum + width, 0), type: WidthType.DXA },
    layout: TableLayoutType.FIXED,
    ...(isRightToLeft(toString(table.children[0])) ? { visuallyRightToLeft: true } : {}),
    ...(indent > 0 ? { indent: { size: indent, type: WidthType.DXA } } : {}),
  });
}

/** The first row is the header of every page. Short rows are filled up, since a Word row must have every cell. */
function rowOf(row: MdTableRow, isHeader: boolean, table: MdTable, columnWidths: number[]): TableRow {
  const cells = columnWidths.map((size, column) => {
    const nodes = row.children[column]?.children ?? [];
    const paragraph = new Paragraph({
      style: isHeader ? 'TableHeading' : 'TableText',
      alignment: alignments[table.align?.[column] ?? 'none'],
      ...paragraphDirection(toString(nodes)),
      children: runsOf(nodes),
    });
    const shading = isHeader ? { shading: { fill: shade } } : {};
    return new TableCell({ children: [paragraph], width: { size, type: WidthType.DXA }, margins: { left: 100, right: 100 }, ...shading });
  });
  return new TableRow({ children: cells, cantSplit: true, ...(isHeader ? { tableHeader: true } : {}) });
}

const alignments = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT, none: undefined };

/** Shares the line by the longest text of each column, within bounds. */
function widthsOf(table: MdTable, total: number): number[] {
  const columns = Math.max(...table.children.map((row) => row.children.length));
  const needs = Array.from({ length: columns }, (_, column) => {
    const longest = table.children.reduce((most, row) => Math.max(most, toString(row.children[column]).length), 0);
    return Math.min(widest, Math.max(narrowest, longest));
  });
  const all = needs.reduce((sum, need) => sum + need, 0);
  return needs.map((need) => Math.floor((total * need) / all));
}
