import { refuse } from '@skillgate/contracts/refusal';
import type { Request } from 'express';

export const callbackPath = '/api/v1/integrations/callback';

/** Names of the machine that a browser itself runs on (RFC 6761, 6.3): a code that is sent there leaves it for nobody else. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where an outside system sends a browser back to: the configured address. Without one the house works on one machine alone, by the
 * loopback name that was asked; any other name in a request is only what its sender wrote. Refuses `integration-not-configured`.
 */
export function callbackAddress(publicUrl: string | undefined, { headers }: Pick<Request, 'headers'>): string {
  if (publicUrl) return new URL(callbackPath, publicUrl).href;
  const asked = `http://${headers.host ?? ''}`;
  const url = URL.canParse(asked) ? new URL(asked) : undefined;
  if (url && loopback.test(url.hostname)) return new URL(callbackPath, url.origin).href;
  throw refuse(
    'integration-not-configured',
    'SKILLGATE_PUBLIC_URL is not set, so nothing can be connected but from this very machine. Ask the operator to set it to the address of this house.',
  );
}
