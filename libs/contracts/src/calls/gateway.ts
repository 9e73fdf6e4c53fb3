import { z } from 'zod';
import { defineCall } from '../define-call.js';
import { publicKeys } from '../tokens.js';

/** Tickets are checked with these. */
export const gatewayPublicKeys = defineCall('call.v1.gateway.public-keys', { input: z.object({}), output: publicKeys });
