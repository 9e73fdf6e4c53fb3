import { describe, expect, it } from '@jest/globals';
import { profileBreaches, skillBreaches } from './check-contract.js';

const docs = { name: 'docs', tools: ['docs_read', 'docs_write'] };
const mail = { name: 'mail', tools: ['mail_send'] };
const skill = (profiles: string[], tools: string[] = []) => [{ slug: 'memo', requires: { profiles, tools } }];
const rules = (breaches: { rule: string; of: string }[]) => breaches.map(({ rule, of }) => `${of}: ${rule}`);

describe('a skill keeps the contract', () => {
  it.each<[string, string[], string[], string[]]>([
    ['when it asks for nothing', [], [], []],
    ['with a profile that exists', ['docs'], [], []],
    ['with a tool of its profile', ['docs'], ['docs_read'], []],
    ['with a tool of one of two profiles', ['docs', 'mail'], ['mail_send'], []],
    ['not with a profile that does not exist', ['payroll'], [], ['memo: profile-unknown']],
    ['not with a tool of a profile that it does not name', ['docs'], ['mail_send'], ['memo: tool-outside-profiles']],
    ['not with a tool and no profile at all', [], ['mail_send'], ['memo: tool-outside-profiles']],
    ['not with a tool that no profile has', ['docs'], ['docs_rea'], ['memo: tool-unknown']],
    ['and every breach is named', ['docs', 'payroll'], ['mail_send', 'tea_make'], ['memo: profile-unknown', 'memo: tool-outside-profiles', 'memo: tool-unknown']],
  ])('%s', (_sentence, profiles, tools, breaches) => {
    expect(rules(skillBreaches(skill(profiles, tools), [docs, mail]))).toEqual(breaches);
  });

  it('says which profile a stray tool belongs to', () => {
    expect(skillBreaches(skill(['docs'], ['mail_send']), [docs, mail])[0]?.message).toContain('the profile "mail"');
  });
});

describe('a profile keeps the contract', () => {
  const approved = docs.tools.map((name) => ({ name, profile: 'docs' }));
  it.each<[string, boolean, { name: string; profile: string }[], string[]]>([
    ['when each of its tools stands in a manifest', false, approved, []],
    ['when it is marked as unserved', true, [], []],
    ['when it is marked while a part of it is served', true, approved.slice(1), []],
    ['not when one of its tools stands in none', false, approved.slice(1), ['docs: tool-unapproved']],
    ['not when nobody serves it and no mark says so', false, [], ['docs: tool-unapproved']],
    ['not when its tools stand in the manifest of another profile', false, approved.map(({ name }) => ({ name, profile: 'mail' })), ['docs: tool-unapproved']],
    ['not when the mark has been overtaken', true, approved, ['docs: mark-outdated']],
  ])('%s', (_sentence, unserved, manifests, breaches) => {
    expect(rules(profileBreaches([{ ...docs, unserved }], manifests))).toEqual(breaches);
  });
});
