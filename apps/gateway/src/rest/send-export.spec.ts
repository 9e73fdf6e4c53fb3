import { describe, expect, it } from '@jest/globals';
import { chatExport, type ExportedTurn } from '@skillgate/contracts/calls/chats';
import { documentOf } from './send-export.js';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const at = '2026-11-30T12:00:00.000Z';
const about = { chat: id(0), title: 'A "title"', named: true, model: 'm', persona: null, createdAt: at, lastTurnAt: at, turns: 2 };
const turn = (n: number, ...said: string[]): ExportedTurn => ({
  ...{ turn: id(n), model: 'm', status: 'finished', startedAt: at, endedAt: at, usage: null, artifacts: [] },
  messages: said.map((content) => ({ role: 'user', content })),
});

async function document(...pages: ExportedTurn[][]) {
  const answer = (n: number) => ({ about, turns: pages[n]!, next: n + 1 < pages.length ? n + 1 : null });
  let text = '';
  for await (const piece of documentOf(answer(0), async (from) => answer(from), new Date(at))) text += piece;
  return chatExport.parse(JSON.parse(text));
}
const told = ({ turns }: Awaited<ReturnType<typeof document>>) => turns.map(({ turn: name, messages }) => [name, messages.map((message) => (message as { content: string }).content)]);

describe('an exported chat', () => {
  it.each<[string, ExportedTurn[][], unknown]>([
    ['that is empty has no turn', [[]], []],
    ['of one page', [[turn(1, 'a', 'b'), turn(2, 'c')]], [[id(1), ['a', 'b']], [id(2), ['c']]]],
    ['whose turn goes on over three pages has it once', [[turn(1, 'a')], [turn(1, 'b')], [turn(1, 'c'), turn(2, 'd')]], [[id(1), ['a', 'b', 'c']], [id(2), ['d']]]],
    ['with an empty last page', [[turn(1, 'a')], []], [[id(1), ['a']]]],
    ['with a turn of which nothing is told', [[turn(1), turn(2, 'x')]], [[id(1), []], [id(2), ['x']]]],
  ])('%s', async (_, pages, expected) => expect(told(await document(...pages))).toEqual(expected));

  it('says its format and what it is', async () => {
    expect(await document([])).toEqual({ ...about, turns: [], format: 'skillgate.chat/1', exportedAt: at });
  });
});
