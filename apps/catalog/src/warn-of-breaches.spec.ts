import { describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '@skillgate/contracts/refusal';
import type { Shelf } from './shelf.js';
import { WarnOfBreaches } from './warn-of-breaches.js';

const skill = (slug: string, profiles: string[], tools: string[] = []) => [slug, { offered: { slug, requires: { profiles, tools } } }] as const;
const shelf = new Map<string, object>([skill('memo', ['docs'], ['docs_read']), skill('pay', ['payroll']), ['gone', {}], skill('tea', ['docs'], ['tea_make'])]) as unknown as Shelf;

function warner(answers: (object | Error)[]) {
  const said: [object, string][] = [];
  const call = async () => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const log = { warn: (...line: [object, string]) => void said.push(line) };
  return { said, warner: new WarnOfBreaches({ call } as never, { shelf: { current: async () => shelf } } as never, { log } as never) };
}
const profiles = { profiles: [{ name: 'docs', tools: ['docs_read'] }] };

describe('what was published', () => {
  it('is held against the profiles of the registry, with a warning for each breach', async () => {
    const { said, warner: one } = warner([profiles]);
    await one.check();
    expect(said.map(([about]) => about)).toEqual([
      { skill: 'pay', rule: 'profile-unknown' },
      { skill: 'tea', rule: 'tool-unknown' },
    ]);
    expect(said[0]![1]).toContain('"payroll"');
  });

  it('waits for a registry that starts later, and gives up with a word', async () => {
    jest.useFakeTimers();
    const late = warner([unavailable('no-responder', 'Nobody.'), unavailable('no-responder', 'Nobody.'), profiles]);
    late.warner.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(late.said).toHaveLength(2);

    const never = warner([unavailable('no-responder', 'Nobody.')]);
    never.warner.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(never.said.map(([, words]) => words)).toEqual([expect.stringContaining('did not say its profiles')]);
    jest.useRealTimers();
  });

  it('is left alone once the service stops', async () => {
    jest.useFakeTimers();
    const { said, warner: one } = warner([unavailable('no-responder', 'Nobody.'), profiles]);
    one.onApplicationBootstrap();
    one.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(said).toEqual([]);
    jest.useRealTimers();
  });
});
