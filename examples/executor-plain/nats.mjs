// The part of NATS's client protocol that an executor needs, over a plain socket: https://docs.nats.io/reference/reference-protocols/nats-protocol
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

const line = '\r\n';

/** Headers as NATS writes them; names are not changed. */
const encodeHeaders = (headers) =>
  Buffer.from(`NATS/1.0${line}${Object.entries(headers).map(([name, value]) => `${name}: ${value}${line}`).join('')}${line}`);

function decodeHeaders(bytes) {
  const [first, ...rest] = bytes.toString('utf8').split(line);
  const headers = { status: first.split(' ')[1] ?? '' };
  for (const each of rest) {
    const at = each.indexOf(':');
    if (at > 0) headers[each.slice(0, at)] = each.slice(at + 1).trim();
  }
  return headers;
}

/** One connection. `onClose` hears of its end; who wants to go on connects anew. */
export class Nats {
  #socket;
  #handlers = new Map(); // by subscription id
  #waiting = new Map(); // by the last token of the inbox
  #left = Buffer.alloc(0);
  #sid = 0;
  #pongs = [];

  static async connect({ url, user, password, onClose }) {
    const { hostname, port } = new URL(url);
    const nats = new Nats();
    nats.#socket = connect({ host: hostname, port: Number(port) || 4222 });
    await new Promise((resolve, reject) => nats.#socket.once('connect', resolve).once('error', reject));
    nats.#socket.on('data', (bytes) => nats.#read(bytes)).on('close', onClose).on('error', () => undefined);
    // `no_responders` tells at once when nobody hears a request; it needs headers.
    const options = { user, pass: password, name: user, lang: 'node', version: '1', protocol: 1, verbose: false, pedantic: false, headers: true, no_responders: true };
    nats.#write(`CONNECT ${JSON.stringify(options)}${line}`);
    nats.inbox = `_INBOX_${user}.${randomUUID()}`; // a service hears its own inbox and no other
    nats.subscribe(`${nats.inbox}.*`, (message) => nats.#waiting.get(message.subject.slice(nats.inbox.length + 1))?.(message));
    await nats.flush();
    return nats;
  }

  subscribe(subject, handler, queue = '') {
    const sid = String((this.#sid += 1));
    this.#handlers.set(sid, handler);
    this.#write(`SUB ${subject} ${queue} ${sid}${line}`);
    return () => {
      this.#write(`UNSUB ${sid}${line}`);
      this.#handlers.delete(sid);
    };
  }

  publish(subject, body, { headers, reply = '' } = {}) {
    const data = Buffer.isBuffer(body) ? body : Buffer.from(body);
    if (!headers) return this.#write(`PUB ${subject} ${reply} ${data.length}${line}`, data, line);
    const head = encodeHeaders(headers);
    this.#write(`HPUB ${subject} ${reply} ${head.length} ${head.length + data.length}${line}`, head, data, line);
  }

  /** The first answer. Throws when nobody hears the subject, and after `ms`. */
  request(subject, body, { headers, ms = 5_000 } = {}) {
    const id = randomUUID();
    let timer;
    return new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${subject}: no answer within ${ms} ms`)), ms);
      this.#waiting.set(id, (message) => (message.headers.status === '503' ? reject(new Error(`${subject}: nobody hears it`)) : resolve(message)));
      this.publish(subject, body, { headers, reply: `${this.inbox}.${id}` });
    }).finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  /** Resolves when the server has worked on everything that was sent before. */
  flush() {
    return new Promise((resolve) => {
      this.#pongs.push(resolve);
      this.#write(`PING${line}`);
    });
  }

  close() {
    this.#socket.end();
  }

  #write(...parts) {
    for (const part of parts) this.#socket.write(part);
  }

  #read(bytes) {
    this.#left = Buffer.concat([this.#left, bytes]);
    for (;;) {
      const end = this.#left.indexOf(line);
      if (end < 0) return;
      const [verb, ...words] = this.#left.subarray(0, end).toString().split(/\s+/);
      const size = verb === 'MSG' || verb === 'HMSG' ? Number(words.at(-1)) + line.length : 0;
      const start = end + line.length;
      if (this.#left.length < start + size) return; // the rest is still on its way
      const payload = this.#left.subarray(start, start + size - line.length);
      this.#left = this.#left.subarray(start + size);
      this.#heard(verb, words, payload);
    }
  }

  #heard(verb, words, payload) {
    if (verb === 'PING') return this.#write(`PONG${line}`);
    if (verb === 'PONG') return this.#pongs.shift()?.();
    if (verb === '-ERR') return console.error(`NATS: ${words.join(' ')}`);
    if (verb === 'MSG') {
      const [subject, sid, ...rest] = words;
      return this.#handlers.get(sid)?.({ subject, reply: rest.length > 1 ? rest[0] : '', headers: {}, data: Buffer.from(payload) });
    }
    if (verb !== 'HMSG') return; // INFO, +OK
    const [subject, sid, ...rest] = words;
    const head = Number(rest.at(-2));
    const reply = rest.length > 2 ? rest[0] : '';
    this.#handlers.get(sid)?.({ subject, reply, headers: decodeHeaders(payload.subarray(0, head)), data: Buffer.from(payload.subarray(head)) });
  }
}
