import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accumulateCalls, type CallPiece } from './accumulate-calls.js';

const piece = (index: number | undefined, id: string | undefined, name: string | undefined, args: string): CallPiece => ({
  index,
  id,
  function: { name, arguments: args },
});

function gather(...pieces: CallPiece[]) {
  const accumulator = accumulateCalls((position) => `made-${position}`);
  pieces.forEach((one) => accumulator.add(one));
  return accumulator.finish();
}

const one = { id: 'c1', name: 'a', arguments: '{"x":1}' };
const two = { id: 'c2', name: 'b', arguments: '{"y":2}' };

describe('streamed calls', () => {
  it.each([
    [
      'numbered, in pieces',
      [
        piece(0, 'c1', 'a', ''),
        piece(0, undefined, undefined, '{"x"'),
        piece(0, undefined, undefined, ':1}'),
        piece(1, 'c2', 'b', ''),
        piece(1, undefined, undefined, '{"y":2}'),
      ],
    ],
    [
      'numbered, interleaved',
      [
        piece(0, 'c1', 'a', ''),
        piece(1, 'c2', 'b', ''),
        piece(0, undefined, undefined, '{"x":1}'),
        piece(1, undefined, undefined, '{"y":2}'),
      ],
    ],
    ['all numbered 0', [piece(0, 'c1', 'a', '{"x":1}'), piece(0, 'c2', 'b', '{"y":2}')]],
    [
      'all numbered 0, in pieces',
      [
        piece(0, 'c1', 'a', '{"x"'),
        piece(0, undefined, undefined, ':1}'),
        piece(0, 'c2', 'b', '{"y"'),
        piece(0, undefined, undefined, ':2}'),
      ],
    ],
    ['without numbers', [piece(undefined, 'c1', 'a', '{"x":1}'), piece(undefined, 'c2', 'b', '{"y":2}')]],
    [
      'without numbers, in pieces',
      [piece(undefined, 'c1', 'a', '{"x"'), piece(undefined, undefined, undefined, ':1}'), piece(undefined, 'c2', 'b', '{"y":2}')],
    ],
    [
      'with numbers that jump in mid-call',
      [
        piece(0, 'c1', 'a', ''),
        piece(1, undefined, undefined, '{"x"'),
        piece(2, undefined, undefined, ':1}'),
        piece(3, 'c2', 'b', '{"y":2}'),
      ],
    ],
    [
      'with the id in every piece',
      [piece(0, 'c1', 'a', '{"x"'), piece(0, 'c1', undefined, ':1}'), piece(0, 'c2', undefined, ''), piece(0, 'c2', 'b', '{"y":2}')],
    ],
    [
      'with the name behind the first arguments',
      [piece(0, 'c1', 'a', '{"x":1}'), piece(0, 'c2', undefined, '{"y"'), piece(0, 'c2', 'b', ':2}')],
    ],
    ['with the whole header in every piece', [piece(0, 'c1', 'a', '{"x"'), piece(0, 'c1', 'a', ':1}'), piece(0, 'c2', 'b', '{"y":2}')]],
    [
      'with a fresh id in every piece',
      [piece(0, 'c1', 'a', '{"x"'), piece(0, 'zz', undefined, ':1}'), piece(1, 'c2', 'b', '{"y"'), piece(1, 'zy', undefined, ':2}')],
    ],
    [
      'with the id behind the first piece',
      [piece(0, undefined, 'a', ''), piece(0, 'c1', undefined, '{"x":1}'), piece(1, 'c2', 'b', '{"y":2}')],
    ],
    [
      'by id, interleaved, without numbers',
      [
        piece(undefined, 'c1', 'a', '{"x"'),
        piece(undefined, 'c2', 'b', '{"y"'),
        piece(undefined, 'c1', undefined, ':1}'),
        piece(undefined, 'c2', undefined, ':2}'),
      ],
    ],
  ])('come out as two whole calls: %s', (_how, pieces) => {
    expect(gather(...pieces)).toEqual({ calls: [one, two], problems: [] });
  });

  it.each([
    ['numbered', [piece(0, undefined, 'a', '{"x":1}'), piece(1, undefined, 'b', '{"y":2}')]],
    ['all numbered 0', [piece(0, undefined, 'a', '{"x":1}'), piece(0, undefined, 'b', '{"y":2}')]],
    ['without numbers', [piece(undefined, undefined, 'a', '{"x":1}'), piece(undefined, undefined, 'b', '{"y":2}')]],
    [
      'with null for everything',
      [
        { index: null, id: null, function: { name: 'a', arguments: '{"x":1}' } },
        { index: null, id: null, function: { name: 'b', arguments: '{"y":2}' } },
      ],
    ],
  ])('without ids get ids of ours: %s', (_how, pieces) => {
    expect(gather(...pieces).calls).toEqual([
      { ...one, id: 'made-0' },
      { ...two, id: 'made-1' },
    ]);
  });

  it('of one tool, twice, stay two', () => {
    expect(gather(piece(0, undefined, 'a', '{}'), piece(0, undefined, 'a', '{}')).calls).toHaveLength(2);
    expect(gather(piece(0, undefined, 'a', ''), piece(0, undefined, 'a', '')).calls).toHaveLength(2);
  });

  it('with a header that comes again before the arguments stay one', () => {
    expect(gather(piece(0, undefined, 'a', ''), piece(0, undefined, 'a', '{"x":1}')).calls).toEqual([{ ...one, id: 'made-0' }]);
  });

  it('report a piece that belongs to no call, and a call without a name', () => {
    expect(gather(piece(0, undefined, undefined, '{"x":1}')).problems[0]).toMatch(/^A piece of a tool call came before any call/);
    expect(gather(piece(0, 'c1', undefined, '{"x":1}'), piece(1, 'c2', 'b', '{"y":2}'))).toEqual({
      calls: [two],
      problems: [expect.stringMatching(/^A tool call came without a name/)],
    });
  });

  it('come out the same wherever the stream was cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 });
    const calls = fc.array(fc.record({ name: fc.constantFrom('a', 'b'), args: fc.json({ maxDepth: 1 }).map((x) => `{"v":${x}}`) }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(calls, cuts, fc.constantFrom('numbers', 'zeros', 'none'), (wanted, sizes, numbering) => {
        const pieces = wanted.flatMap(({ name, args }, at) => {
          const index = numbering === 'numbers' ? at : numbering === 'zeros' ? 0 : undefined;
          const parts: CallPiece[] = [piece(index, `c${at}`, name, '')];
          for (let from = 0, n = 0; from < args.length; n += 1) {
            const size = sizes[n % sizes.length]!;
            parts.push(piece(index, undefined, undefined, args.slice(from, from + size)));
            from += size;
          }
          return parts;
        });
        expect(gather(...pieces)).toEqual({
          calls: wanted.map(({ name, args }, at) => ({ id: `c${at}`, name, arguments: args })),
          problems: [],
        });
      }),
    );
  });
});
