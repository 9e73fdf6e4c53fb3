import { describe, expect, it } from '@jest/globals';
import { beginArtifact, finishArtifact, pieceBytes, readPiece, statArtifact, writePiece } from '@skillgate/contracts/calls/artifacts';
import { unavailable } from '@skillgate/contracts/refusal';
import type { ChatMessage } from '@skillgate/prompt/chat-message';
import { buildRequest } from './build-request.js';
import { fetchImages, keepResult } from './keep-result.js';
import { notHeld } from './leave-turn.js';
import { modelOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(pieceBytes)]);

/** A shelf of files behind the wire. */
function shelf() {
  const files = new Map<string, { name: string; mime: string; pieces: Buffer[] }>();
  const ref = (id: string) => {
    const { name, mime, pieces } = files.get(id)!;
    return { id, name, mime, bytes: Buffer.concat(pieces).length };
  };
  const wire = new FakeWire()
    .on(beginArtifact, ({ name, mime }) => {
      const id = `art_${String(files.size).padStart(32, '0')}`;
      files.set(id, { name, mime, pieces: [] });
      return { id };
    })
    .on(writePiece, ({ id, index, base64 }) => ((files.get(id)!.pieces[index] = Buffer.from(base64, 'base64')), {}))
    .on(finishArtifact, ({ id }) => ref(id))
    .on(statArtifact, ({ id }) => ({ ...ref(id), sha256: 'a'.repeat(64), pieces: files.get(id)!.pieces.length }))
    .on(readPiece, ({ id, index }) => ({ base64: files.get(id)!.pieces[index]!.toString('base64') }));
  return { files, wire };
}

describe('a result that no context could hold', () => {
  const long = 'word '.repeat(60_000);

  it('keeps its head and tail, and is a file as a whole, under the ticket of the turn', async () => {
    const { files, wire } = shelf();
    const { content } = await keepResult(fakeTurn(wire).context, 'docs_read', 'call_abcdef', long);
    expect(content).toMatch(/^word [^]*\[… \d+ characters cut from the middle; the whole is the file docs_read-abcdef\.txt, artifact: art_0+ …\]\n[^]*word $/);
    expect(content.length).toBeLessThan(50_000);
    const [file] = files.values();
    expect([Buffer.concat(file!.pieces).toString(), file!.mime]).toEqual([long, 'text/plain']);
    expect(wire.sent.every(({ input }) => !('authority' in (input as object)) || (input as { authority: string }).authority === 'the.signed.ticket')).toBe(true);
  });

  it('is cut and says so when it cannot be kept', async () => {
    const { wire } = shelf();
    wire.on(beginArtifact, () => {
      throw unavailable('no-responder', 'away');
    });
    const { context, logged } = fakeTurn(wire);
    expect((await keepResult(context, 'docs_read', 'c', long)).content).toContain('characters cut from the middle; the rest was not kept: ask for less at once');
    expect(logged.join()).toContain('could not be kept as a file');
  });

  it('that fits is left as it is, and costs nothing', async () => {
    const { wire } = shelf();
    expect(await keepResult(fakeTurn(wire).context, 'docs_read', 'c', '{"a":1}')).toEqual({ content: '{"a":1}' });
    expect(wire.sent).toEqual([]);
  });

  it('is nobody\'s here when the turn goes on elsewhere', async () => {
    const { context, abort } = fakeTurn(shelf().wire);
    abort.abort(notHeld());
    await expect(keepResult(context, 'docs_read', 'c', long)).rejects.toMatchObject({ slug: 'turn-not-held' });
  });
});

describe('an image in a result', () => {
  const calls = { kind: 'assistant' as const, text: '', calls: [{ id: 'c', name: 'docs_plot', arguments: '{}' }] };
  const entry = modelOf({ images: true });

  it('is a file, stands in the history by its id, and is an image for the model, also in a later turn', async () => {
    const { files, wire } = shelf();
    const { context } = fakeTurn(wire, { entry });
    const kept = await keepResult(context, 'docs_plot', 'c', JSON.stringify([{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }]));
    const [id] = files.keys();
    expect(kept).toEqual({ content: '["[image 1]"]', images: [{ artifact: id, name: 'docs_plot-1.png', mime: 'image/png' }] });
    const later = fakeTurn(wire, { entry });
    for (const turn of [context, later.context]) {
      turn.journal.history.push(calls, { kind: 'result', callId: 'c', ...kept });
      await fetchImages(turn);
      const messages = buildRequest(turn, {}).messages as ChatMessage[];
      expect(messages.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } }] });
      expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([`["[image 1]"]\n[Image docs_plot-1.png (image/png), artifact: ${id}; shown below]`]);
    }
    expect(wire.count(statArtifact.subject)).toBe(1); // the turn that made it need not fetch it
  });

  it('that is gone is told as such, and asked for once a turn', async () => {
    const { wire } = shelf();
    wire.on(statArtifact, () => {
      throw unavailable('no-responder', 'away');
    });
    const { context } = fakeTurn(wire, { entry });
    context.journal.history.push(calls, { kind: 'result', callId: 'c', content: 'x', images: [{ artifact: `art_${'9'.repeat(32)}`, name: 'p.png', mime: 'image/png' }] });
    await fetchImages(context);
    await fetchImages(context);
    expect(wire.count(statArtifact.subject)).toBe(1);
    expect(JSON.stringify(buildRequest(context, {}).messages)).toContain('could not be fetched');
  });

  it('that is a file but no image is left out', async () => {
    const { wire, files } = shelf();
    const artifact = `art_${'1'.repeat(32)}`;
    files.set(artifact, { name: 'a.svg', mime: 'image/svg+xml', pieces: [Buffer.from('<svg/>')] });
    expect(await keepResult(fakeTurn(wire).context, 't', 'c', JSON.stringify({ type: 'image', artifact }))).toEqual({ content: '"[image 1]"\n[image 1 cannot be shown]' });
  });
});
