import type { StoreDefinition } from '@skillgate/store/store-definition';
import { ChatItemRow, ChatRow, TurnRow, TurnStepRow } from './entities.js';
import { ChatsAndTurns1764500000000 } from './migrations/0001-chats-and-turns.js';
import { Outbox1764500300000 } from './migrations/0002-outbox.js';
import { DurableTurns1764500600000 } from './migrations/0003-durable-turns.js';
import { Usage1764500700000 } from './migrations/0004-usage.js';
import { Compaction1764500800000 } from './migrations/0008-compaction.js';
import { Approvals1764500900000 } from './migrations/0009-approvals.js';
import { ChatPersona1764501000000 } from './migrations/0010-chat-persona.js';
import { ChatsOfUsers1764502000000 } from './migrations/0020-chats-of-users.js';
import { Transcripts1764503000000 } from './migrations/0030-transcripts.js';

export const orchestratorStore: StoreDefinition = {
  schema: 'orchestrator',
  entities: [ChatRow, ChatItemRow, TurnRow, TurnStepRow],
  migrations: [
    ...[ChatsAndTurns1764500000000, Outbox1764500300000, DurableTurns1764500600000, Usage1764500700000, Compaction1764500800000],
    ...[Approvals1764500900000, ChatPersona1764501000000, ChatsOfUsers1764502000000, Transcripts1764503000000],
  ],
};
