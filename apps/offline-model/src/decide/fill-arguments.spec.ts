import { describe, expect, it } from '@jest/globals';
import type { Brief } from '../compose/brief.js';
import type { JsonSchema } from '../protocol/chat-request.js';
import { fillArguments } from './fill-arguments.js';

const brief: Brief = {
  title: 'Harbour log: Übersicht & plan',
  parts: [
    { heading: 'Purpose', lines: ['Boats came in.', 'Some left.'], list: false },
    { heading: 'Key points', lines: ['Nine boats stayed.', '**East pier:** two *broken* rings.'], list: true },
  ],
  lead: 'Boats came in.',
  leftOut: [],
  unjudged: [],
  words: 12,
};
const artifact = `art_${'a'.repeat(32)}`;

const fill = (
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
  extra: JsonSchema = {},
  request = 'Log it in blue, please',
): Record<string, unknown> =>
  fillArguments(
    { name: 'stow', description: 'Stows.', parameters: { type: 'object', properties, required, ...extra } },
    { request, artifacts: [artifact], brief },
  );

describe('filling arguments from a schema', () => {
  it('gives the attached file to whatever asks for an artifact', () => {
    const id = { type: 'string', pattern: '^art_[0-9a-f]{32}$' };
    expect(fill({ source: id, artifact_id: { type: 'string' }, ids: { type: 'array', items: id } })).toEqual({
      source: artifact,
      artifact_id: artifact,
      ids: [artifact],
    });
  });

  it('derives a file name from the title with the extension that the schema names', () => {
    expect(fill({ file_name: { type: 'string', description: 'Ends in .docx' } })).toEqual({ file_name: 'harbour-log-ubersicht-plan.docx' });
    expect(fill({ file_name: { type: 'string', pattern: '\\.(csv|md)$' } })).toEqual({ file_name: 'harbour-log-ubersicht-plan.md' });
    expect(fill({ file_name: { type: 'string', description: 'With .md or .txt' } }, undefined, {}, 'as a txt file')).toEqual({
      file_name: 'harbour-log-ubersicht-plan.txt',
    });
  });

  it('puts the title where it is asked for, and else on top of the text', () => {
    expect(fill({ title: { type: 'string' }, markdown: { type: 'string' } })).toEqual({
      title: brief.title,
      markdown:
        '## Purpose\n\nBoats came in. Some left.\n\n## Key points\n\n- Nine boats stayed.\n- **East pier:** two \\*broken\\* rings.\n',
    });
    expect(fill({ body: { type: 'string' } }).body).toMatch(/^# Harbour log: Übersicht & plan\n\n## Purpose/);
  });

  it('writes plain text into a .txt file', () => {
    const filled = fill({ file_name: { type: 'string', description: 'A .txt file' }, content: { type: 'string' } });
    expect(filled.content).toBe(
      'Harbour log: Übersicht & plan\n\nPURPOSE\nBoats came in. Some left.\n\nKEY POINTS\n- Nine boats stayed.\n- East pier: two *broken* rings.\n',
    );
  });

  it('hands a list of sections over part by part', () => {
    const section = {
      type: 'object',
      properties: { heading: { type: 'string' }, body: { type: 'string' } },
      required: ['heading', 'body'],
    };
    expect(fill({ sections: { type: 'array', items: section } })).toEqual({
      sections: [
        { heading: 'Purpose', body: 'Boats came in. Some left.' },
        { heading: 'Key points', body: '- Nine boats stayed.\n- **East pier:** two \\*broken\\* rings.' },
      ],
    });
  });

  it('takes the choice whose word stands in the request, else the first', () => {
    const colour = { enum: ['red', 'blue'] };
    expect(fill({ colour })).toEqual({ colour: 'blue' });
    expect(fill({ colour }, undefined, {}, 'Log it')).toEqual({ colour: 'red' });
  });

  it('keeps to defaults, minimums and constants', () => {
    expect(
      fill({
        on: { type: 'boolean' },
        much: { type: 'integer', minimum: 4 },
        many: { type: 'number', default: 7 },
        kind: { const: 'log' },
      }),
    ).toEqual({ on: false, much: 4, many: 7, kind: 'log' });
  });

  it('gives the request to a required text it does not know, and leaves out optional ones', () => {
    expect(fill({ query: { type: 'string', maxLength: 9 }, remark: { type: 'string' } }, ['query'])).toEqual({ query: 'Log it' });
  });

  it('follows references and nullable types', () => {
    const extra = {
      $defs: {
        berth: {
          type: 'object',
          properties: { query: { type: ['string', 'null'] }, deep: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] } },
          required: ['query', 'deep'],
        },
      },
    };
    expect(fill({ berth: { $ref: '#/$defs/berth' } }, undefined, extra)).toEqual({ berth: { query: 'Log it in blue, please', deep: 3 } });
  });

  it('ends on a schema that refers to itself', () => {
    const extra = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } } };
    expect(JSON.stringify(fill({ node: { $ref: '#/$defs/node' } }, undefined, extra)).length).toBeLessThan(300);
    expect(fill({ query: { $ref: '#/$defs/a' } }, undefined, { $defs: { a: { $ref: '#/$defs/a' } } })).toEqual({
      query: 'Log it in blue, please',
    });
  });

  it('asks for the next page where one is wanted', () => {
    const parameters = {
      type: 'object',
      properties: { artifact: { type: 'string' }, offset: { type: 'integer', default: 0 } },
      required: ['artifact'],
    };
    const tool = { name: 'peek', description: '', parameters };
    expect(fillArguments(tool, { request: '', artifacts: [artifact] })).toEqual({ artifact });
    expect(fillArguments(tool, { request: '', artifacts: [artifact], offset: 500 })).toEqual({ artifact, offset: 500 });
  });
});
