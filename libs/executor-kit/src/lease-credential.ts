import { leaseCredential } from '@skillgate/contracts/calls/integrations';
import type { Wire } from '@skillgate/wire/wire';
import { ToolCredential } from './tool-credential.js';
import type { LeaseForTool } from './tool-context.js';

/** Milliseconds before its end at which a token is asked for anew: a request that has begun should still be taken. */
const spareMs = 10_000;

/**
 * `context.credential` of one call: leased with the call's grant, kept for the call and no longer.
 *
 * @param tell hears of each credential before the tool has it
 */
export function leaseCredentials(
  wire: Pick<Wire, 'call'>,
  grant: string,
  signal: AbortSignal,
  tell: (credential: ToolCredential) => void,
): LeaseForTool {
  const held = new Map<string, Promise<ToolCredential>>();

  async function lease(integration: string, rejected: string | undefined): Promise<ToolCredential> {
    const leased = await wire.call(leaseCredential, { grant, integration, ...(rejected && { rejected }) }, { signal });
    const credential = new ToolCredential(integration, leased);
    tell(credential);
    return credential;
  }

  return async (integration, { rejected } = {}) => {
    const before = held.get(integration);
    const known = before && (await before.catch(() => undefined));
    if (known && known.lease !== rejected?.lease && (known.expiresAt ?? Infinity) > Date.now() + spareMs) return known;
    const asked = lease(integration, rejected?.lease);
    held.set(integration, asked);
    return asked;
  };
}
