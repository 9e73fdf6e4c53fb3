import type { Request } from 'express';

export const callbackPath = '/api/v1/integrations/callback';

/**
 * Where an outside system sends a browser back to. The configured address, since a proxy may stand before us; without one
 * the address that was asked, which is right on one machine. An address that is not registered there is refused by the outside system.
 */
export const callbackAddress = (publicUrl: string | undefined, request: Pick<Request, 'protocol' | 'headers'>): string =>
  new URL(callbackPath, publicUrl ?? `${request.protocol}://${request.headers.host}`).href;
