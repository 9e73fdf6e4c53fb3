import { describe, expect, it } from '@jest/globals';
import { type Found, type KnownTranscript, recogniseChat } from './recognise-chat.js';

const at = (hash: string, chat = 'c', last = true): KnownTranscript => ({ hash, chat, turn: `t-${hash}`, last });

describe('the chat of a transcript', () => {
  it.each<[string, string[], KnownTranscript[], Found]>([
    ['goes on where it ends with the transcript', ['1', '2'], [at('1', 'c', false), at('2')], { how: 'continued', chat: 'c', after: 't-2' }],
    ['is left where it has gone on since', ['1'], [at('1', 'c', false), at('2')], { how: 'forked', from: 'c' }],
    ['is left where the transcript says something else since', ['1', '3'], [at('1')], { how: 'forked', from: 'c' }],
    ['is new where nothing is known', ['1', '2'], [], { how: 'new' }],
    ['is none where several fit', ['1'], [at('1', 'c'), at('1', 'd')], { how: 'ambiguous' }],
    ['is none where several fit, though one has gone on', ['1'], [at('1', 'c', false), at('1', 'd')], { how: 'ambiguous' }],
    ['is the one that fits longest, whatever fits before', ['1', '2'], [at('1', 'c', false), at('1', 'd'), at('2', 'c')], { how: 'continued', chat: 'c', after: 't-2' }],
  ])('%s', (_what, beginnings, known, found) => expect(recogniseChat(beginnings, known)).toEqual(found));
});
