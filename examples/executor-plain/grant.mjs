// The grant: who may run what, for whom, until when. Nothing else of a call is believed.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.mjs';
import { refuse } from './refusal.mjs';

/** Milliseconds between two questions for keys: a forged key id must not hammer the registry. */
const askAgainMs = 5_000;
/** Seconds that the registry's clock may be ahead. */
const aheadSeconds = 5;

const sha256 = (text, encoding) => createHash('sha256').update(text).digest(encoding);
/** RFC 7638: the id that the registry gives its keys. */
const thumbprint = ({ crv, kty, x }) => sha256(JSON.stringify({ crv, kty, x }), 'base64url');
const invalid = (why) => refuse('grant-invalid', `This grant is not valid: ${why}. Ask registry for a new one.`);

export class Grants {
  #keys = new Map();
  #notBefore = 0;
  #epochs = new Map(); // the newest policy epoch that was heard of, by account

  /** @param fetchKeys asks call.v1.registry.public-keys */
  constructor(executor, fetchKeys) {
    this.executor = executor;
    this.fetchKeys = fetchKeys;
  }

  raise(account, epoch) {
    if (epoch > (this.#epochs.get(account) ?? 0)) this.#epochs.set(account, epoch);
  }

  /** In this order: a caller without a good grant learns nothing further. */
  async check(token, { turn, tool, callId, args }) {
    if (!token) throw refuse('grant-missing', `${tool} was called without a grant. Load a skill that opens it, then call it again.`);
    const claims = await this.#open(token);
    if (claims.exp <= Date.now() / 1000) throw refuse('grant-expired', 'This grant has expired. Ask registry for a new one and repeat the call.');
    if (claims.aud !== this.executor) throw refuse('grant-audience', `This grant is for ${claims.aud}, not for ${this.executor}.`);
    if (claims.turn !== turn) throw refuse('grant-turn', 'This grant belongs to another turn.');
    if (!Object.hasOwn(claims.tools, tool)) throw refuse('grant-tool', `${tool} is not opened in this turn. Load a skill that opens it.`);
    // A user approved one call: this one, with these arguments?
    if (claims.call && (claims.call.id !== callId || claims.call.argumentsHash !== sha256(canonicalJson(args ?? null), 'hex'))) {
      throw refuse('grant-call', 'This grant is for another call, or for other arguments, than its user approved.');
    }
    const policyEpoch = this.#epochs.get(claims.account) ?? 0;
    if (claims.policyEpoch < policyEpoch) throw refuse('grant-outdated', 'What this account may use has changed since this grant was signed.', { policyEpoch });
    return claims;
  }

  async #open(token) {
    const [head, body, signature, ...more] = token.split('.');
    const header = read(head);
    const claims = read(body);
    if (!header || !claims || !signature || more.length > 0) throw invalid('it does not read as a signed token');
    if (header.alg !== 'EdDSA' || header.typ !== 'grant+jwt') throw invalid('it is of another kind');
    const key = await this.#key(header.kid);
    if (!verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) throw invalid('its signature does not match its content');
    if (claims.iss !== 'registry' || claims.typ !== 'grant') throw invalid('it is of another kind or from another issuer');
    const shaped = typeof claims.tools === 'object' && typeof claims.account === 'string' && Number.isInteger(claims.exp) && Number.isInteger(claims.policyEpoch);
    if (!shaped || claims.iat > Date.now() / 1000 + aheadSeconds) throw invalid('its claims do not fit');
    return claims;
  }

  async #key(kid) {
    if (!this.#keys.has(kid) && Date.now() >= this.#notBefore) {
      const { keys } = await this.fetchKeys();
      this.#notBefore = Date.now() + askAgainMs;
      this.#keys = new Map(keys.map((jwk) => [thumbprint(jwk), createPublicKey({ key: jwk, format: 'jwk' })]));
    }
    const key = this.#keys.get(kid);
    if (!key) throw invalid('it names a key that registry does not have');
    return key;
  }
}

function read(part = '') {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
