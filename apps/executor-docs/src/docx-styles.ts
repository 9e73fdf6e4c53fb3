import { AlignmentType, BorderStyle, type ILevelsOptions, type IStylesOptions, LevelFormat } from 'docx';

/** Twentieths of a point, as everywhere in WordprocessingML. A4 with 2.5 cm at the sides leaves 16 cm for text. */
export const page = { width: 11_906, height: 16_838, margin: 1_417, textWidth: 11_906 - 2 * 1_417 };

/** Indent of one level of list or quote. */
export const step = 425;
/** Room for a list mark, left of its text. */
export const markWidth = 360;

const ink = '1F2937';
const accent = '1F3A5F';
const quiet = '6B7280';
export const rule = 'CBD5E1';
export const shade = 'F1F5F9';

/** Fonts that Word and LibreOffice have or replace by one of the same widths; other scripts fall back by themselves. */
const textFont = 'Calibri';
const codeFont = 'Consolas';

const heading = (size: number, before: number) => ({
  run: { font: textFont, size, bold: true, color: accent },
  paragraph: { spacing: { before, after: 100 }, keepNext: true, keepLines: true },
});

/** Sizes in half points. */
export const styles: IStylesOptions = {
  default: {
    document: { run: { font: textFont, size: 22, color: ink }, paragraph: { spacing: { after: 120, line: 276 } } },
    title: { run: { font: textFont, size: 48, bold: true, color: accent }, paragraph: { spacing: { after: 80 }, keepNext: true } },
    heading1: heading(32, 360),
    heading2: heading(27, 280),
    heading3: heading(24, 220),
    heading4: heading(22, 200),
    heading5: heading(22, 200),
    heading6: heading(22, 200),
    hyperlink: { run: { color: '1D4ED8', underline: {} } },
    listParagraph: { paragraph: { spacing: { after: 60 } } },
  },
  paragraphStyles: [
    {
      id: 'Subtitle',
      name: 'Subtitle',
      basedOn: 'Normal',
      next: 'Normal',
      run: { size: 26, color: quiet },
      paragraph: { spacing: { after: 280 } },
    },
    {
      id: 'Quote',
      name: 'Quote',
      basedOn: 'Normal',
      quickFormat: true,
      run: { italics: true, color: '475569' },
      paragraph: { border: { left: { style: BorderStyle.SINGLE, size: 18, space: 8, color: rule } } },
    },
    {
      id: 'CodeBlock',
      name: 'Code Block',
      basedOn: 'Normal',
      quickFormat: true,
      run: { font: codeFont, size: 19 },
      paragraph: { spacing: { before: 60, after: 160, line: 250 }, shading: { fill: shade } },
    },
    { id: 'TableText', name: 'Table Text', basedOn: 'Normal', paragraph: { spacing: { before: 30, after: 30, line: 250 } } },
    { id: 'TableHeading', name: 'Table Heading', basedOn: 'TableText', run: { bold: true }, paragraph: { keepNext: true } },
  ],
  characterStyles: [
    { id: 'CodeText', name: 'Code Text', basedOn: 'DefaultParagraphFont', run: { font: codeFont, size: 20, shading: { fill: shade } } },
  ],
};

/** Word has nine levels; formats change with the depth, as readers expect of an outline. */
export const deepestLevel = 8;

const hanging = (level: number) => ({ paragraph: { indent: { left: step * (level + 1), hanging: markWidth } } });

export const bulletLevels: ILevelsOptions[] = Array.from({ length: deepestLevel + 1 }, (_, level) => ({
  level,
  format: LevelFormat.BULLET,
  text: ['•', '◦', '▪'][level % 3],
  alignment: AlignmentType.START,
  style: hanging(level),
}));

export const numberLevels = (start: number): ILevelsOptions[] =>
  Array.from({ length: deepestLevel + 1 }, (_, level) => ({
    level,
    format: [LevelFormat.DECIMAL, LevelFormat.LOWER_LETTER, LevelFormat.LOWER_ROMAN][level % 3],
    text: `%${level + 1}.`,
    start,
    alignment: AlignmentType.START,
    style: hanging(level),
  }));
