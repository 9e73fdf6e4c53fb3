import { describe, expect, it } from '@jest/globals';
import { deadLettersArguments } from './dead-letters-arguments.js';

const read = (...words: string[]) => deadLettersArguments(words, ['catalog', 'executor-docs']);

describe('the words of bin/skillgate dead-letters', () => {
  it('list by themselves', () => {
    expect(read()).toMatchObject({ verb: 'list', ids: [], json: false });
    expect(read('--service', 'catalog', '--json')).toMatchObject({ verb: 'list', service: 'catalog', json: true });
  });

  it('name letters by service and number', () => {
    expect(read('replay', 'catalog-12', 'executor-docs-3').ids).toEqual([{ service: 'catalog', seq: 12 }, { service: 'executor-docs', seq: 3 }]);
  });

  it.each<[string[], string]>([
    [['resend'], '"resend" is none of list, show, replay, drop'],
    [['replay'], 'replay takes the ids'],
    [['drop'], 'drop takes the ids'],
    [['show', 'catalog-1', 'catalog-2'], 'show takes one id'],
    [['show', 'catalog'], 'such as catalog-1'],
    [['show', 'catalog-0'], 'such as catalog-1'],
    [['show', 'nobody-1'], 'such as catalog-1'],
    [['list', 'catalog-1'], 'did you mean show?'],
    [['--service', 'nobody'], 'catalog and executor-docs hear events'],
    [['--all'], '--all'],
  ])('are refused with a hint: %j', (words, hint) => {
    expect(() => read(...words)).toThrow(hint);
  });
});
