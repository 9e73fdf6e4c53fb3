import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseProfiles } from './profiles.js';

const shipped = parseProfiles(readFileSync(new URL('../profiles.yaml', import.meta.url), 'utf8'));

const entry = (name: string, tools: string, more = '') => `
  - name: ${name}
    title: T
    capability: tools
    groups:
      - tools: [${tools}]${more}`;

describe('the shipped profiles', () => {
  it('are the fourteen of the house', () => {
    expect(shipped.all.map((profile) => profile.name)).toEqual([
      'docs',
      'analytics',
      'workspace',
      'persistentRuntime',
      'subagents',
      'google',
      'microsoft',
      'notion',
      'appleCalendar',
      'cloze',
      'slack',
      'scheduledJobs',
      'skillsManagement',
      'personas',
    ]);
  });

  it('have beside them what needs no skill, which none of them is', () => {
    expect(shipped.get('base')?.tools).toEqual(['fetch_image']);
    expect(shipped.homeOf('fetch_image')).toBe('base');
    expect(shipped.all.map(({ name }) => name)).not.toContain('base');
  });

  it('name at least 111 tools, which makes 115 with the base tools', () => {
    expect(shipped.all.flatMap((profile) => profile.tools).length).toBeGreaterThanOrEqual(111);
  });

  it('ask for Gmail alone where a Gmail tool is meant', () => {
    const google = shipped.get('google')!;
    expect(shipped.integrationsOf(google, 'gmail_send_message')).toEqual(['gmail']);
    expect(shipped.integrationsOf(google, 'drive_list_files')).toEqual(['drive']);
  });

  it('ask for every integration of the profile where only an approval put the tool there', () => {
    expect(shipped.integrationsOf(shipped.get('google')!, 'google_new_thing')).toEqual(['gmail', 'drive', 'calendar']);
  });

  it('know the home of a tool', () => {
    expect(shipped.homeOf('slack_send_message')).toBe('slack');
    expect(shipped.homeOf('slack_delete_everything')).toBeUndefined();
  });
});

describe('a profiles file', () => {
  it('may need an outside system that this house adds, and no other', () => {
    const yaml = `profiles:${entry('sales', 'crm_find', '\n        integration: crm')}`;
    expect(parseProfiles(yaml, ['gmail', 'crm']).get('sales')?.integrations).toEqual(['crm']);
    expect(() => parseProfiles(yaml)).toThrow('"sales" needs the integration "crm", which is not there');
  });

  it.each([
    ['a profile that stands twice', `profiles:${entry('docs', 'a_b')}${entry('docs', 'c_d')}`, '"docs" stands twice'],
    ['a tool of two profiles', `profiles:${entry('docs', 'a_b')}${entry('slack', 'a_b')}`, '"a_b" stands in "docs" and in "slack"'],
    ['an unknown integration', `profiles:${entry('docs', 'a_b', '\n        integration: gmial')}`, 'integration'],
    ['an unknown key', `profiles:${entry('docs', 'a_b', '\n        integratoin: gmail')}`, 'integratoin'],
    ['no profile at all', 'profiles: []', 'profiles'],
  ])('with %s is refused with the mistake', (_, yaml, words) => {
    expect(() => parseProfiles(yaml)).toThrow(words);
  });
});
