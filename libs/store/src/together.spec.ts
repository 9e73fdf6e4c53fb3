import { describe, expect, it } from '@jest/globals';
import { together } from './together.js';

const after = <T>(ms: number, what: () => T) => new Promise<T>((resolve, reject) => setTimeout(() => { try { resolve(what()); } catch (error) { reject(error); } }, ms));

describe('statements that go together', () => {
  it('answer in the order in which they were given', async () => {
    expect(await together(after(5, () => 'a'), 2, after(1, () => null))).toEqual(['a', 2, null]);
  });

  it('fail with what failed first, once all of them are done', async () => {
    const done: string[] = [];
    const fail = (why: string) => { throw new Error(why); };
    const work = together(after(8, () => fail('because the first did')), after(1, () => fail('the first')), after(15, () => done.push('slow')));
    await expect(work).rejects.toThrow('the first');
    expect(done).toEqual(['slow']);
  });
});
