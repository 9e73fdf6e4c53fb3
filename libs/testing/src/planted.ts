import { randomBytes } from 'node:crypto';

const prefix = 'planted-';

/** A secret for a test, which a search knows for one wherever it stands. No two are alike, and nothing that redacts knows this shape. */
export const plant = (what: string): string => `${prefix}${what}-${randomBytes(9).toString('hex')}`;

/** What stands around it decides how base64 begins: three alignments, without the letters that depend on the neighbours. */
const based = [0, 1, 2].map((shift) =>
  Buffer.concat([Buffer.alloc(shift), Buffer.from(prefix)])
    .toString('base64')
    .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + prefix.length) * 8) / 6)),
);

/** Shapes that stand in no log and no span. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a planted secret', /planted-[a-z0-9-]+-[0-9a-f]{18}/],
  ['a planted secret in hexadecimal digits', new RegExp(Buffer.from(prefix).toString('hex'), 'i')],
  ['a planted secret in base64', new RegExp(based.map((text) => text.replace(/[=+/]/g, '\\$&')).join('|'))],
  ['an API key', /sk-sg-[\w-]{43}/],
  ['a signed token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
];

/** What of it stands in a text; the secrets themselves are not in the answer, for it goes into the message of a test. */
export const secretsIn = (text: string): string[] => shapes.filter(([, shape]) => shape.test(text)).map(([what]) => what);
