import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as artifacts from '@skillgate/contracts/calls/artifacts';
import { refuse } from '@skillgate/contracts/refusal';
import { openGatewayHouse, type GatewayHouse } from '../gateway-house.fixture.js';

let house: GatewayHouse;
let listLimit: number | undefined;
const files = new Map<string, { name: string; mime: string; bytes: number; sha256: string; pieces: Buffer[] }>();

beforeAll(async () => {
  house = await openGatewayHouse();
  const wire = house.wires.artifacts;
  const hearings = [
    wire.serve(artifacts.beginArtifact, async ({ name, mime, bytes, sha256 }, { caller }) => {
      expect(caller).toBe('gateway');
      const id = `art_${randomBytes(16).toString('hex')}`;
      files.set(id, { name, mime, bytes, sha256, pieces: [] });
      return { id };
    }),
    wire.serve(artifacts.writePiece, async ({ id, index, base64 }) => {
      files.get(id)!.pieces[index] = Buffer.from(base64, 'base64');
      return {};
    }),
    wire.serve(artifacts.finishArtifact, async ({ id }) => {
      const { name, mime, bytes, sha256, pieces } = files.get(id)!;
      expect(createHash('sha256').update(Buffer.concat(pieces)).digest('hex')).toBe(sha256);
      return { id, name, mime, bytes };
    }),
    wire.serve(artifacts.statArtifact, async ({ id }) => {
      const file = files.get(id);
      if (!file) throw refuse('unknown-artifact', 'No such artifact.');
      return { id, name: file.name, mime: file.mime, bytes: file.bytes, sha256: file.sha256, pieces: file.pieces.length };
    }),
    wire.serve(artifacts.readPiece, async ({ id, index }) => ({ base64: files.get(id)!.pieces[index]!.toString('base64') })),
    wire.serve(artifacts.listArtifacts, async ({ limit }) => {
      listLimit = limit;
      return { artifacts: [] };
    }),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
}, 30_000);
afterAll(() => house?.close());

describe('artifacts', () => {
  const upload = (bytes: Buffer, name: string, type = 'text/markdown') =>
    house.ask(`/api/v1/artifacts?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { 'content-type': type },
    });

  it.each([0, 1, artifacts.pieceBytes, artifacts.pieceBytes * 2 + 5])('of %i bytes come back as they went', async (size) => {
    const bytes = randomBytes(size);
    const up = await upload(bytes, 'report.md');
    expect(up.status).toBe(201);
    const about = (await up.json()) as { id: string };
    expect(about).toMatchObject({ name: 'report.md', mime: 'text/markdown', bytes: size });
    const down = await house.ask(`/api/v1/artifacts/${about.id}`);
    expect(Buffer.from(await down.arrayBuffer()).equals(bytes)).toBe(true);
    expect(down.headers.get('content-length')).toBe(String(size));
  });

  it('may be JSON without being parsed', async () => {
    expect((await upload(Buffer.from('{"not": closed'), 'data.json', 'application/json')).status).toBe(201);
  });

  it('are saved and not run by a browser, under a safe name', async () => {
    const { id } = (await (await upload(Buffer.from('<script>'), 'naïve "plan"; x=1.html', 'text/html')).json()) as { id: string };
    const { headers } = await house.ask(`/api/v1/artifacts/${id}`);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="na?ve \\"plan\\"; x=1.html"; filename*=UTF-8''na%C3%AFve%20%22plan%22%3B%20x%3D1.html`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it.each([
    ['without a name', '/api/v1/artifacts', 'invalid-name', 422],
    ['with two names', '/api/v1/artifacts?name=a&name=b', 'invalid-name', 422],
    ['with an empty media type', '/api/v1/artifacts?name=a', 'invalid-media-type', 422, ''],
    ['with an endless media type', '/api/v1/artifacts?name=a', 'invalid-media-type', 422, `text/${'x'.repeat(200)}`],
  ])('%s are refused', async (_what, path, slug, status, type = 'text/plain') => {
    const response = await house.ask(path, { method: 'POST', body: 'x', headers: { 'content-type': type } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ slug });
  });

  it('that are too large are refused with 413, whether they say so or not', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 70) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const response = await house.ask('/api/v1/artifacts?name=big.bin', {
      ...init,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ slug: 'artifact-too-large', limitBytes: artifacts.maxArtifactBytes });
  }, 20_000);

  it('that are not there are unknown', async () => {
    expect((await house.ask(`/api/v1/artifacts/art_${'0'.repeat(32)}`)).status).toBe(404);
    expect((await house.ask('/api/v1/artifacts/passwd')).status).toBe(404);
  });

  it('are listed up to a limit', async () => {
    expect((await house.ask('/api/v1/artifacts?limit=7')).status).toBe(200);
    expect(listLimit).toBe(7);
    expect((await house.ask('/api/v1/artifacts?limit=x')).status).toBe(422);
  });
});
