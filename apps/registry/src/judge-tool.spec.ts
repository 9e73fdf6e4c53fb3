import { describe, expect, it } from '@jest/globals';
import { judgeTools } from './judge-tool.js';
import { parseProfiles } from './profiles.js';
import { announcedTool } from './spec-support/facts.js';

const profiles = parseProfiles(`profiles:
  - { name: docs, title: Documents, capability: tools, groups: [{ tools: [docs_read_text] }] }
  - { name: slack, title: Slack, capability: tools, groups: [{ integration: slack, tools: [slack_send_message] }] }
base: { title: Base, capability: tools, groups: [{ tools: [fetch_image] }] }`);
const judge = (...tools: Parameters<typeof judgeTools>[0]) => judgeTools(tools, profiles);
const ways = (...properties: string[]) => properties.map((name) => ({ properties: { [name]: { type: 'string' } }, required: [name] }));

describe('an announced tool', () => {
  it('that is sound has no fault', () => {
    expect(judge(announcedTool())[0]!.fault).toBeUndefined();
  });

  it('of an executor that needs no skill has none in its own place', () => {
    expect(judge(announcedTool({ name: 'fetch_image', profile: 'base' }))[0]!.fault).toBeUndefined();
  });

  it('with a schema that providers refuse is quarantined alone', () => {
    const inputSchema = { type: 'object', anyOf: ways('id', 'email') };
    const [bad, good] = judge(announcedTool({ name: 'docs_find', inputSchema }), announcedTool());
    expect(bad!.fault).toMatchObject({ slug: 'tool-quarantined', reason: expect.stringContaining('anyOf') });
    expect(good!.fault).toBeUndefined();
  });

  it('with a schema that can be shown in another form goes on with a note', () => {
    const [tool] = judge(announcedTool({ inputSchema: { type: 'object', properties: { rows: { type: 'array' } } } }));
    expect(tool!.fault).toBeUndefined();
    expect(tool!.notes?.join()).toContain('rows');
  });

  it('whose digest belongs to another manifest is quarantined, so that an approval cannot be borrowed', () => {
    const approved = announcedTool();
    const [forged] = judge({ ...approved, effect: 'external' });
    expect(forged!.fault?.reason).toContain('schemaDigest does not belong');
  });

  it.each([
    ['a profile that does not exist', announcedTool({ profile: 'payroll' }), 'unknown-profile', 'no profile "payroll"'],
    ['the home of another profile', announcedTool({ name: 'slack_send_message' }), 'tool-quarantined', 'belongs to the profile "slack"'],
    ['a name of the platform', announcedTool({ name: 'load_skill' }), 'tool-quarantined', 'name of the platform'],
    ['a name of the platform that an executor serves, outside of its place', announcedTool({ name: 'fetch_image' }), 'tool-quarantined', 'belongs to the profile "base"'],
    ['a place among the tools that need no skill', announcedTool({ name: 'docs_free', profile: 'base' }), 'tool-quarantined', 'need no skill'],
    ['a description that turns a terminal around', announcedTool({ description: 'Reads.\r\u001b[2Kapproved' }), 'tool-quarantined', 'U+000D'],
    ['a description with another direction', announcedTool({ description: 'Reads \u202etxt' }), 'tool-quarantined', 'U+202E'],
    ['a huge schema', announcedTool({ inputSchema: { type: 'object', title: 'x'.repeat(25_000) } }), 'tool-quarantined', 'at most 24576'],
  ])('with %s says so', (_, tool, slug, words) => {
    expect(judge(tool)[0]!.fault).toMatchObject({ slug, reason: expect.stringContaining(words) });
  });

  it.each([
    ['a pattern', { a: { type: 'string', pattern: '(' } }, '/properties/a'],
    ['a pattern deep down', { a: { type: 'array', items: { anyOf: [{ type: 'string', pattern: '[z-a]' }] } } }, '/properties/a/items/anyOf/0'],
    ['a property named pattern', { pattern: { type: 'string', pattern: '*' } }, '/properties/pattern'],
  ])('with %s that is no regular expression is quarantined at its place', (_, properties, place) => {
    expect(judge(announcedTool({ inputSchema: { type: 'object', properties } }))[0]!.fault).toMatchObject({ slug: 'tool-quarantined', reason: expect.stringContaining(`${place}: the pattern`) });
  });

  it.each([
    ['with flag u', { a: { type: 'string', pattern: '^\\p{L}+$' } }],
    ['without flag u', { a: { type: 'string', pattern: '^[\\w\\-]+\\@' } }],
    ['where it is a value or a name', { a: { type: 'string', enum: ['('], default: '(' }, pattern: { type: 'string' } }],
  ])('with a pattern that holds %s has no fault of its pattern', (_, properties) => {
    expect(judge(announcedTool({ inputSchema: { type: 'object', properties } }))[0]!.fault).toBeUndefined();
  });

  it('that stands twice in one announcement is quarantined in both places', () => {
    expect(judge(announcedTool(), announcedTool({ effect: 'write' })).map((tool) => tool.fault?.slug)).toEqual([
      'tool-quarantined',
      'tool-quarantined',
    ]);
  });
});
