import { describe, expect, it } from '@jest/globals';
import { type RightsChange, rightsNotice } from './rights-notice.js';

const textOf = (change: Partial<RightsChange>) => rightsNotice({ plain: false, closed: [], opened: [], skills: null, ...change })?.text;

describe('what the model is told when rights change in mid-turn', () => {
  it.each<[string, Partial<RightsChange>, string[]]>([
    ['plain chat: to call nothing and to tell the user why', { plain: true }, ['plain chat only', 'Call no tool', 'tell the user', "account's plan"]],
    ['tools that closed, each with its reason, and to tell the user', { closed: [{ name: 'docs_write', why: 'The plan has no "writing".' }] }, ['- docs_write: The plan has no "writing".', 'tell the user']],
    ['tools that work from now on', { opened: ['gmail_search', 'gmail_send'] }, ['These tools work now: gmail_search, gmail_send']],
    ['what changed in the list of skills', { skills: 'Now also available:\n- memo: Does memo.' }, ['- memo: Does memo.']],
  ])('is %s', (_, change, parts) => {
    const text = textOf(change);
    expect(text).toContain('What this account may use was changed');
    for (const part of parts) expect(text).toContain(part);
  });

  it('is nothing when nothing of it concerns the model', () => {
    expect(textOf({})).toBeUndefined();
  });
});
