import { defineEvent } from '@skillgate/contracts/define-event';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { streamsOf } from '@skillgate/contracts/streams';
import { z } from 'zod';
import type { Wire } from '../src/wire.js';

/** Events of the imaginary service `asker`, which `teller` hears. */
export const rang = defineEvent('event.v1.asker.rang', z.object({ n: z.number(), text: z.string().optional() }));
export const hungUp = defineEvent('event.v1.asker.hung-up', z.object({ n: z.number() }));

const none = { serves: [], calls: [], emits: [], hears: [] };
export const emitterEdges: ServiceEdges = { ...none, service: 'asker', emits: [rang, hungUp] };
export const hearerEdges: ServiceEdges = { ...none, service: 'teller', hears: [rang], watches: [rang] };

export const makeStreams = (wire: Wire, edges: ServiceEdges): Promise<void> => wire.reconcileStreams(streamsOf(edges));

/** Publishes `rang` with `n` as its id, in its name and its payload. */
export const ring = (wire: Wire, n: number, more: { text?: string; messageId?: string } = {}) => {
  const { messageId, ...payload } = more;
  return wire.publishEvent(rang, { n, ...payload }, { id: `ring-${n}`, messageId });
};
