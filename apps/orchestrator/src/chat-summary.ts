import type { ChatSummary } from '@skillgate/contracts/calls/chats';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { HistoryItem } from '@skillgate/prompt/history';

type UserContent = Extract<HistoryItem, { kind: 'user' }>['content'];

/** A chat as the database has it. */
export interface ChatLine {
  chat: string;
  title: string | null;
  model: string;
  persona: PersonaRef | null;
  createdAt: Date;
  lastTurnAt: Date;
  /** The same to the microsecond. */
  usedAt: string;
  turns: number;
  /** What the user said first; null while nothing was. */
  asked: UserContent | null;
}

const shownTitle = 80; // characters of what stands for a name
const mostUnits = 1_000; // of UTF-16, since one character may have many

export const summaryOf = ({ chat, title, model, persona, createdAt, lastTurnAt, turns, asked }: ChatLine): ChatSummary => ({
  ...{ chat, title: titleOf({ title, asked }), named: title !== null, model, persona, turns },
  ...{ createdAt: createdAt.toISOString(), lastTurnAt: lastTurnAt.toISOString() },
});

/** As the user named it, else the beginning of what was asked first. */
export const titleOf = ({ title, asked }: Pick<ChatLine, 'title' | 'asked'>): string => title ?? beginningOf(asked ?? '');

/** What a person wrote, without pictures. */
export const textOf = (content: UserContent): string =>
  typeof content === 'string' ? content : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** The beginning on one line, cut between characters as people see them. */
function beginningOf(content: UserContent): string {
  const whole = textOf(content);
  const text = whole.slice(0, mostUnits).toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...graphemes.segment(text)];
  const shown = characters.slice(0, shownTitle).map(({ segment }) => segment).join('').trim();
  return characters.length > shownTitle || whole.length > mostUnits ? `${shown}…` : shown;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
