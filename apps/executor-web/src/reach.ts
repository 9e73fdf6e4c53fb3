import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { refuse } from '@skillgate/contracts/refusal';
import { isPublicAddress } from './public-address.js';

/** Where an executor may go. Another one than the public internet is for tests. */
export interface Reach {
  mayReach(address: string): boolean;
  mayUse(port: number): boolean;
  /** Every address of a host, as the machine's own resolver has them. */
  resolve(host: string, options: LookupOptions, done: (error: Error | null, addresses: LookupAddress[]) => void): void;
}

/** Web ports alone: an address is no way to talk to whatever else listens. */
export const publicInternet: Reach = {
  mayReach: isPublicAddress,
  mayUse: (port) => port === 80 || port === 443,
  resolve: (host, options, done) => lookup(host, { ...options, all: true }, done),
};

/**
 * An address as it may be asked for. `URL` has made one of every way to write a number: `0x7f.1`, `2852039166`. Refusals: `invalid-address`,
 * `address-not-public`.
 */
export function checkAddress(text: string, reach: Reach, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw refuse('invalid-address', 'Give the whole address of an image, beginning with https:// or http://.');
  if (url.username || url.password) throw refuse('invalid-address', 'An address with a user name or a password in it is not fetched. Ask the user to attach the image.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A host that is an address is connected to without any lookup, so it is checked here.
  if (!reach.mayUse(port) || (isIP(host) !== 0 && !reach.mayReach(host))) throw notPublic(url.hostname);
  return url;
}

/** Looks up what a connection is then made to: the one answer is checked and used, and nothing is looked up again. */
export const guardedLookup =
  (reach: Reach): LookupFunction =>
  (host, options, done) => {
    reach.resolve(host, options, (error, addresses) => {
      const inside = addresses?.some(({ address }) => !reach.mayReach(address)) ?? false; // one inside is a trick, whatever stands beside it
      const [first] = addresses ?? [];
      if (error || !first || inside) return done(error ?? notPublic(host), '', 4);
      // Where several are wanted, they are tried one behind the other.
      return options.all ? done(null, addresses as never) : done(null, first.address, first.family);
    });
  };

const notPublic = (host: string): Error =>
  refuse('address-not-public', `"${host.slice(0, 200)}" does not lead to a public web server, and nothing else is fetched. Ask the user to attach the image.`);
