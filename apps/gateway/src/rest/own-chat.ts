import type { Principal } from '@skillgate/contracts/calls/accounts';
import { getChat } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Signer } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import { mintTicket } from '../ticket.js';

/** Before a chat is signed into a ticket: the orchestrator says that it is this user's own. Refusal: `unknown-chat`. */
export const requireOwnChat = async (wire: Pick<Wire, 'call'>, signer: Signer, principal: Principal, chat: string): Promise<CallOutput<typeof getChat>> =>
  wire.call(getChat, { ticket: await mintTicket(signer, principal), chat });
