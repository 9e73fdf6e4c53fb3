// What all instances know of calls with effects: the JetStream bucket calls_<executor>, by its plain subjects.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse, unavailable } from './refusal.mjs';

/** Milliseconds without a sign of life after which an instance counts as gone; it gives one every second while it works. */
const goneMs = 8_000;
const wrongRevision = new Set([10071, 10164]); // somebody else wrote first
const notFound = 10037;

const away = () => unavailable('ledger-unavailable', 'The executor cannot write down that it runs this call, so it does not. Try again in a moment.');

export class Ledger {
  #nats;
  #bucket;
  #instance;
  #running = new Set();
  #seen = new Map();

  constructor(nats, executor, instance) {
    this.#nats = nats;
    this.#bucket = `calls_${executor}`;
    this.#instance = instance;
    setInterval(() => this.#running.size > 0 && this.#put(`alive_${instance}`, {}).catch(() => undefined), 1_000).unref();
  }

  /** A hash, since call ids may have any form; with the account, so that no account meets another's calls. */
  static key = (account, callId) => createHash('sha256').update(`${account}/${callId}`).digest('hex');

  /** The right to run a call, or how it ended before. Answers with `{ mine, revision }` or `{ entry }`. */
  async claim(key, { turn, fingerprint }, signal) {
    this.#running.add(key);
    try {
      await this.#put(`alive_${this.#instance}`, {});
      const revision = await this.#put(key, { state: 'running', instance: this.#instance, turn, fingerprint }, 0);
      if (revision !== null) return { revision };
    } catch {
      this.#running.delete(key);
      throw away();
    }
    this.#running.delete(key);
    const entry = await this.#ended(key, () => signal.aborted);
    if (entry.state === 'settled') throw refuse('call-settled', 'This call was given up before it arrived. Nothing was done.');
    if (entry.fingerprint !== fingerprint) throw refuse('call-id-reused', 'This call id was used before for another call.');
    if (entry.state === 'unknown') throw refuse('call-unknown', 'The instance that ran this call went away in the middle. Look before you repeat it.');
    if (entry.state === 'running') throw unavailable('cancelled', 'The first delivery of this call still runs.');
    return { entry };
  }

  async record(key, revision, entry) {
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        await this.#put(key, entry, revision); // null: it was given up meanwhile, and that stands
        break;
      } catch {
        await pause(500);
      }
    }
    this.#running.delete(key);
  }

  /** What became of a call; one that has not arrived is refused from now on. */
  async settle({ account, callId, turn }, deadline) {
    const key = Ledger.key(account, callId);
    if ((await this.#put(key, { state: 'settled', turn }, 0)) !== null) return { state: 'never' };
    const entry = await this.#ended(key, () => Date.now() > deadline - 500);
    if (entry.turn !== turn) throw refuse('call-id-reused', 'This call id was used before for another call.');
    if (entry.state === 'settled') return { state: 'never' };
    const { state, result, error } = entry;
    return { state, ...(result && { result }), ...(error && { error }) };
  }

  async #ended(key, isOver) {
    for (;;) {
      const { entry, revision } = await this.#get(key);
      if (entry.state !== 'running') return entry;
      if (await this.#isGone(entry.instance, key)) await this.#put(key, { ...entry, state: 'unknown' }, revision);
      else if (isOver()) return entry;
      else await pause(100);
    }
  }

  /** No clocks are compared: a sign of life that does not change for long enough before these eyes is none. */
  async #isGone(instance, key) {
    if (instance === this.#instance) return !this.#running.has(key);
    const { revision } = await this.#get(`alive_${instance}`);
    const before = this.#seen.get(instance);
    if (before?.revision === revision) return Date.now() - before.since > goneMs;
    this.#seen.set(instance, { revision, since: Date.now() });
    return false;
  }

  /** @returns the revision; null when the key has another revision than `expected` (0: none at all) */
  async #put(key, value, expected) {
    const headers = expected === undefined ? {} : { 'Nats-Expected-Last-Subject-Sequence': expected };
    const { data } = await this.#nats.request(`$KV.${this.#bucket}.${key}`, JSON.stringify(value), { headers });
    const { seq, error } = JSON.parse(data.toString('utf8'));
    if (!error) return seq;
    if (wrongRevision.has(error.err_code)) return null;
    throw away();
  }

  async #get(key) {
    const subject = `$KV.${this.#bucket}.${key}`;
    const { data } = await this.#nats.request(`$JS.API.STREAM.MSG.GET.KV_${this.#bucket}`, JSON.stringify({ last_by_subj: subject }));
    const { message, error } = JSON.parse(data.toString('utf8'));
    if (error?.err_code === notFound) return { entry: {}, revision: 0 };
    if (error) throw away();
    return { entry: JSON.parse(Buffer.from(message.data, 'base64').toString('utf8')), revision: message.seq };
  }
}
