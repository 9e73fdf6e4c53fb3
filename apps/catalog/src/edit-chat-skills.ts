import type { getChatSkills, setChatSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { SkillStateEdit } from '@skillgate/contracts/words';
import { permit } from '@skillgate/gating/permit';
import type { CatalogRoom } from './catalog-room.js';
import type { Shelf } from './shelf.js';

type Answer = CallAnswer<typeof setChatSkills>;

/** Refusals: those of `permit`, `unknown-chat`. */
export async function readChatSkills(room: CatalogRoom, { authority }: CallParsedInput<typeof getChatSkills>): Promise<Answer> {
  const { account, chat } = await ownChat(room, authority, 'get-chat-skills');
  return { chat, skills: await room.chats.of(account, chat) };
}

/** Refusals: those of `permit`, `unknown-chat`, `unknown-skill`, `too-many-states`. */
export async function editChatSkills(room: CatalogRoom, { authority, states, replace }: CallParsedInput<typeof setChatSkills>): Promise<Answer> {
  const { account, chat, actor } = await ownChat(room, authority, 'set-chat-skills');
  requireNamed(await room.shelfOf(account), states);
  return { chat, skills: await room.chats.edit(account, chat, states, replace, actor) };
}

/** The gateway signs a chat into a ticket when the orchestrator has said whose it is. */
async function ownChat(room: CatalogRoom, authority: string, action: 'get-chat-skills' | 'set-chat-skills') {
  const { account, user, chat } = await room.checkTicket(authority);
  const actor = await permit(room.checkTicket, authority, action, { account, user });
  if (!chat) throw refuse('unknown-chat', 'This ticket names no chat. Ask the gateway for one that does.');
  return { account, chat, actor };
}

/**
 * A setting for a skill that is not there would be accepted and never do anything; a hidden one is as unknown as that. Taking a
 * setting back needs no skill: what is gone can be cleared away.
 */
export function requireNamed(shelf: Shelf, states: SkillStateEdit): void {
  const unknown = Object.entries(states)
    .filter(([slug, state]) => state !== null && shelf.get(slug)?.facts.hidden !== false)
    .map(([slug]) => slug);
  if (unknown.length === 0) return;
  throw refuse('unknown-skill', `There is no skill ${unknown.map((slug) => `"${slug}"`).join(', ')} here; nothing was changed.`, { skills: unknown });
}
