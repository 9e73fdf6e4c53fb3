import { describe, expect, it } from '@jest/globals';
import { devArguments } from './dev-arguments.js';

describe('the words behind bin/dev', () => {
  it.each<[string[], number | undefined]>([
    [[], undefined],
    [['--port', '0'], 0],
    [['--port', '8123'], 8123],
    [['--port=65535'], 65_535],
  ])('%j want port %s', (words, port) => {
    expect(devArguments(words).port).toBe(port);
  });

  it.each(['65536', '-1', '80.5', 'http', '', '1e3', '0x50'])('name no port by %j', (port) => {
    expect(() => devArguments([`--port=${port}`])).toThrow('is no port number');
  });

  it('name no model by what is no address', () => {
    expect(() => devArguments(['--model-url', 'nowhere'])).toThrow('is no URL');
  });
});
