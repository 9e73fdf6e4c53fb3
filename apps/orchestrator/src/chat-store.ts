import { refuse } from '@skillgate/contracts/refusal';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource } from 'typeorm';
import { ChatRow } from './entities.js';
import { readChat } from './place-store.js';
import type { ChatState } from './turn-records.js';
import type { TurnReader } from './turn-store.js';

/** Chats as they stand between turns. Refuses `unknown-chat`. */
export class ChatStore {
  constructor(private readonly dataSource: DataSource) {}

  get({ account, user }: TurnReader, chat: string): Promise<ChatRow> {
    return inAccount(this.dataSource, account, async (sql) => {
      const row = await sql.findOneBy(ChatRow, { id: chat, ...(user ? { user } : {}) });
      if (!row) throw unknownChat(chat);
      return row;
    });
  }

  /** With its history. */
  state({ account, user }: Required<TurnReader>, chat: string): Promise<ChatState> {
    return inAccount(this.dataSource, account, async (sql) => {
      const state = await readChat(sql, { chat, user });
      if (!state) throw unknownChat(chat);
      return state;
    });
  }
}

export const unknownChat = (chat: string): Error => refuse('unknown-chat', `You have no chat ${chat} here. Its id is in the header x-skillgate-chat of an answer.`);
