import { describe, expect, it } from '@jest/globals';
import { callbackAddress } from './callback-address.js';

const path = '/api/v1/integrations/callback';
const by = (host: string | undefined, more: Record<string, string> = {}) => ({ headers: { ...(host !== undefined && { host }), ...more } });

describe('the address that browsers are sent back to', () => {
  it.each(['evil.example', '127.0.0.1:8080', undefined])('is the configured one, whatever the request says: %s', (host) => {
    expect(callbackAddress('https://skillgate.example/ui', by(host))).toBe(`https://skillgate.example${path}`);
  });

  it.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:3000', 'http://localhost:3000'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['x@localhost', 'http://localhost'],
  ])('is on this machine where nothing is configured and %s was asked', (host, origin) => {
    expect(callbackAddress(undefined, by(host, { 'x-forwarded-host': 'evil.example' }))).toBe(origin + path);
  });

  it.each(['evil.example', 'skillgate.example:8080', '10.0.0.7', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost@evil.example', '', 'a b', undefined])(
    'is none where nothing is configured and %j was asked',
    (host) => {
      expect(() => callbackAddress(undefined, by(host))).toThrow(
        expect.objectContaining({ slug: 'integration-not-configured', message: expect.stringContaining('SKILLGATE_PUBLIC_URL') }),
      );
    },
  );
});
