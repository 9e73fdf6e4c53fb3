// A tool's files travel in pieces over the wire, with the call's grant as the only right.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pieceBytes } from '@skillgate/contracts/calls/artifacts';
import { type ToolResult, artifactRef } from '@skillgate/contracts/tool-call';
import { serveShelf } from './conform/artifact-shelf.js';
import { type LabHouse, startLab } from '../spec-support/lab-house.js';

const id = `art_${'a'.repeat(32)}`;
let house: LabHouse;
let shelf: Awaited<ReturnType<typeof serveShelf>>;
beforeAll(async () => {
  house = await startLab();
  shelf = await serveShelf(await house.nats.connect('artifacts'));
  await house.serve();
}, 20_000);
afterAll(() => house?.stop(), 20_000);

const bytesOf = ({ artifacts }: ToolResult): Buffer => Buffer.concat(shelf.files.get(artifacts[0]?.id ?? '')?.pieces ?? []);

describe('the files of a tool', () => {
  it.each([
    ['an empty file', 0],
    ['a small file', 10],
    ['exactly one piece', pieceBytes],
    ['one byte more than a piece', pieceBytes + 1],
    ['many pieces', pieceBytes * 9 + 77],
  ])('%s is read and written byte for byte, and joins the result', async (_what, size) => {
    const bytes = randomBytes(size);
    shelf.put(id, 'data.bin', bytes);
    const grant = await house.grant({ jti: randomUUID() });
    const result = await house.call('lab_copy', { args: { artifact: id }, grant });
    expect(artifactRef.parse(result.content)).toEqual(result.artifacts[0]);
    expect(result.artifacts[0]).toMatchObject({ name: 'copy of data.bin', bytes: size });
    expect(bytesOf(result).equals(bytes)).toBe(true);
    expect(shelf.authorities).toContain(grant);
  });

  it('that arrive damaged are a breach of the service that keeps them', async () => {
    shelf.put(id, 'data.bin', randomBytes(1_000));
    shelf.files.get(id)!.pieces[0]![7]! ^= 1;
    expect(await house.failure('lab_copy', { args: { artifact: id } })).toMatchObject({ kind: 'breach', slug: 'artifact-damaged' });
  });

  it('that do not exist are the refusal of the service that keeps them', async () => {
    expect(await house.failure('lab_copy', { args: { artifact: `art_${'f'.repeat(32)}` } })).toMatchObject({
      kind: 'refusal',
      slug: 'unknown-artifact',
    });
  });
});
