// Proves: an image comes as it is, and nothing else does; whatever the web answers, no connection is made to an address that was not checked.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import { fetchImage, fetchImageWithin } from './fetch-image.js';
import type { Reach } from './reach.js';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const page = Buffer.from('<!doctype html><title>x</title>');

let server: Server;
let port: number;
/** Paths that were asked for, with the address that was connected to. */
const seen: string[] = [];
/** What each name leads to, one answer for each lookup; the last one stays. */
const names = new Map<string, string[]>();
let lookups = 0;

const answers: Record<string, (response: ServerResponse) => void> = {
  '/a.png': (response) => response.end(png),
  '/lies.png': (response) => response.setHeader('content-type', 'image/png').end(page),
  '/shy': (response) => response.setHeader('content-type', 'text/plain').end(png),
  '/svg': (response) => response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/empty.png': (response) => response.end(),
  '/gone.png': (response) => response.writeHead(404).end('secret page'),
  '/big.png': (response) => response.setHeader('content-length', String(5 * 1024 * 1024)).end(png),
  '/endless.png': pour,
  '/silent.png': () => undefined,
  '/cut.png': (response) => void response.setHeader('content-length', '5000').write(png, () => response.destroy()),
  '/hop': (response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/inside': (response) => response.writeHead(302, { location: `http://127.0.0.2:${port}/a.png` }).end(),
  '/inside-by-name': (response) => response.writeHead(301, { location: `http://nats.inside:${port}/a.png` }).end(),
  '/to-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/%2e%2e%2fr%C3%A9sum%C3%A9.jpeg': (response) => response.end(png),
};

function pour(response: ServerResponse): void {
  const pouring = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 1);
  response.once('close', () => clearInterval(pouring));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.socket.localAddress} ${request.url}`);
    response.on('error', () => undefined);
    (answers[request.url!] ?? ((none) => none.writeHead(404).end()))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = lookups = 0;
  names.clear();
});

/** A small internet: 127.0.0.1 is all of the public web. */
const web: Reach = {
  mayReach: (address) => address === '127.0.0.1',
  mayUse: () => true,
  resolve: (host, _options, done) => {
    lookups += 1;
    const left = names.get(host);
    const address = left && left.length > 1 ? left.shift()! : left?.[0];
    if (!address) return done(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []);
    return done(null, address.split(' ').map((one) => ({ address: one, family: 4 })));
  },
};
const tool = fetchImageWithin(web);
const fetchFrom = (path: string, files = new FakeArtifacts(), signal?: AbortSignal) =>
  tryTool(tool, { url: path.startsWith('/') ? `http://127.0.0.1:${port}${path}` : path }, files, signal);

describe('an image', () => {
  it.each([
    ['by its address', '/a.png', 'a.png'],
    ['whatever the server calls it', '/shy', 'shy.png'],
    ['over a redirect', '/hop', 'a.png'],
    ['under a name that is safe to keep', '/%2e%2e%2fr%C3%A9sum%C3%A9.jpeg', '../résumé.png'], // artifacts takes the separators out
  ])('%s becomes a file that the house shows', async (_, path, name) => {
    const files = new FakeArtifacts();
    const { content, artifacts } = await fetchFrom(path, files);
    const [file] = artifacts;
    expect(content).toEqual({ image: { type: 'image', artifact: file!.id }, name, mime: 'image/png', bytes: png.length, from: `127.0.0.1:${port}` });
    expect(Buffer.from(files.files.get(file!.id)!.bytes).equals(png)).toBe(true);
  });

  it('is asked for without a word of who asks', async () => {
    names.set('pictures.test', ['127.0.0.1']);
    const { content } = await fetchFrom(`http://pictures.test:${port}/a.png`);
    expect(content).toMatchObject({ from: `pictures.test:${port}` });
    expect([seen, lookups]).toEqual([[expect.stringContaining('127.0.0.1 /a.png')], 1]);
  });
});

describe('what is no image', () => {
  it.each([
    ['a page that is called one', '/lies.png', 'not-an-image'],
    ['a drawing with scripts', '/svg', 'not-an-image'],
    ['nothing', '/empty.png', 'not-an-image'],
    ['a page of an error', '/gone.png', 'not-found-there'],
    ['what says that it is too large', '/big.png', 'too-large'],
    ['what never ends', '/endless.png', 'too-large'],
    ['what breaks off', '/cut.png', 'unreachable'],
    ['a redirect without an end', '/loop', 'too-many-redirects'],
    ['a redirect to a file', '/to-file', 'invalid-address'],
  ])('%s is told and not kept', async (_, path, slug) => {
    const files = new FakeArtifacts();
    const { error } = await fetchFrom(path, files);
    expect(error).toMatchObject({ slug });
    expect(error!.message).not.toMatch(/secret|ECONN|127\.0\.0\.1/);
    expect(files.files.size).toBe(0);
  });

  it('is not waited for when the turn is over', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    expect((await fetchFrom('/silent.png', undefined, abort.signal)).error).toBeDefined();
  });
});

describe('an address inside', () => {
  it.each([
    ['by its number', () => `http://127.0.0.2:${port}/a.png`],
    ['by a name', () => (names.set('nats.inside', ['127.0.0.2']), `http://nats.inside:${port}/a.png`)],
    ['by a name with one address outside', () => (names.set('both.test', ['127.0.0.1 127.0.0.2']), `http://both.test:${port}/a.png`)],
    ['behind a redirect', () => '/inside'],
    ['behind a redirect to a name', () => (names.set('nats.inside', ['127.0.0.2']), '/inside-by-name')],
  ])('%s is never connected to', async (_, url) => {
    const { error } = await fetchFrom(url());
    expect(error).toMatchObject({ kind: 'refusal', slug: 'address-not-public' });
    expect(seen.filter((line) => !line.includes('/inside'))).toEqual([]);
  });

  it('is not reached by a name that leads outside when it is looked up first, and inside when it is looked up again', async () => {
    names.set('twice.test', ['127.0.0.1', '127.0.0.2']);
    expect((await fetchFrom(`http://twice.test:${port}/a.png`)).content).toMatchObject({ mime: 'image/png' });
    expect([lookups, seen.every((line) => line.includes('127.0.0.1 '))]).toEqual([1, true]);
    expect((await fetchFrom(`http://twice.test:${port}/a.png`)).error).toMatchObject({ slug: 'address-not-public' });
  });

  it.each(['http://localhost/', 'http://127.0.0.1/', 'http://[::1]/', 'http://2852039166/'])('%s is refused by the tool as it is served', async (url) => {
    expect((await tryTool(fetchImage, { url })).error).toMatchObject({ slug: 'address-not-public' });
  });

  it('is looked up by no proxy', async () => {
    process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${port}`;
    try {
      expect((await fetchFrom(`http://nowhere.test:${port}/a.png`)).error).toMatchObject({ slug: 'unreachable' });
      expect(seen).toEqual([]);
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });
});
