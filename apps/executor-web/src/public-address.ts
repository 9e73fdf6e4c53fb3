import ipaddr from 'ipaddr.js';

/** Global unicast, all that was ever given out of IPv6 (RFC 4291, IANA). What lies outside of it leads back inside: `::127.0.0.1`, NAT64. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by their numbers and still a host's own: Azure's wire server answers every machine there at this one. */
const hostsOwn: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Does this address lead to the public internet, and nowhere into a house: no loopback, private, link-local, carrier-grade NAT, metadata,
 * multicast or reserved range, in IPv4, IPv6 and IPv4 mapped into IPv6?
 *
 * @param address as a resolver gives it; what is no address is not public
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false; // a zone is a link's own
  const parsed = ipaddr.process(address); // IPv4-mapped becomes IPv4
  if (parsed.range() !== 'unicast' || hostsOwn.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
