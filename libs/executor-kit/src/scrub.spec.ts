import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { refuse } from '@skillgate/contracts/refusal';
import { Scrub } from './scrub.js';
import { ToolCredential } from './tool-credential.js';

const secret = 'tok en/with+odd=signs';
const scrub = new Scrub();
scrub.add([secret, 'abc'], '[credential of slack]');
const shows = (text: string) =>
  [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')].some((form) => text.includes(form));

describe('what leaves a call', () => {
  it.each([
    ['a text', () => scrub.text(`Bearer ${secret}!`)],
    ['a URL', () => scrub.text(`https://x.example/?t=${encodeURIComponent(secret)}`)],
    ['base64', () => scrub.text(Buffer.from(secret).toString('base64'))],
    ['a value deep inside', () => JSON.stringify(scrub.value({ a: [{ b: `x ${secret}` }] }))],
    ['a key', () => JSON.stringify(scrub.value({ [secret]: 1 }))],
    ['a refusal', () => inspect(scrub.error(refuse('no', `said ${secret}`, { sent: secret })))],
    ['an error with a cause', () => inspect(scrub.error(new Error('outer', { cause: new Error(secret) })))],
  ])('has no secret in %s', (_what, made) => {
    expect(shows(made())).toBe(false);
    expect(made()).toContain('[credential of slack]');
  });

  it('stays what it is where nothing is secret: short words, circles, dates', () => {
    const circle: { me?: unknown } = {};
    circle.me = circle;
    expect(scrub.value({ circle })).toEqual({ circle: { me: '[circular]' } });
    expect(scrub.text('abc')).toBe('abc');
    const value = { any: 1 };
    expect(new Scrub().value(value)).toBe(value);
  });

  it('goes through a log that takes them out', () => {
    const said: unknown[] = [];
    const line = (facts: object, message: string) => void said.push(facts, message);
    scrub.log({ debug: line, info: line, warn: line, error: line }).warn({ err: new Error(secret), sent: secret }, `sent ${secret}`);
    expect(shows(inspect(said, { depth: 9 }))).toBe(false);
  });
});

describe('a leased credential', () => {
  const credential = new ToolCredential('slack', { lease: 'id.1', kind: 'oauth2', accessToken: secret, scopes: ['chat:write'] });

  it('gives its token by name and shows it in no other way', () => {
    expect(credential.accessToken).toBe(secret);
    const printed = [
      JSON.stringify({ credential }),
      String(credential),
      inspect({ credential }, { depth: 9, showHidden: true }),
      `${credential}`,
    ];
    for (const text of printed) {
      expect(shows(text)).toBe(false);
      expect(text).toContain('[credential of slack]');
    }
    expect(Object.values({ ...credential })).toEqual(['slack']);
  });

  it('says what it has instead when it is asked for something else', () => {
    expect(() => credential.field('password')).toThrow('no field "password"');
    const entered = new ToolCredential('cloze', { lease: 'id.1', kind: 'api-key', fields: { apiKey: 'k' }, scopes: [] });
    expect(entered.field('apiKey')).toBe('k');
    expect(() => entered.accessToken).toThrow('use field()');
  });
});
