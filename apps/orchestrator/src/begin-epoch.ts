import type { CatalogEntry, SkillDecision } from '@skillgate/contracts/calls/catalog';
import { fitCatalog } from '@skillgate/prompt/fit-catalog';
import type { HistoryItem } from '@skillgate/prompt/history';
import { escapeMarks, oneLine } from '@skillgate/prompt/one-line';
import { renderPrefix } from '@skillgate/prompt/prefix';
import { personaNotice, refOf, samePersona, type TurnPersona } from './turn-persona.js';
import type { ChatState, Prefix } from './turn-records.js';

/** The prefix that this turn sends, and what the model must be told because the frozen one says otherwise. */
export interface EpochStart {
  prefix: Prefix;
  notice: Extract<HistoryItem, { kind: 'notice' }> | null;
}

/** What the catalog says of this turn. */
export interface Visible {
  toolsAllowed: boolean;
  entries: readonly CatalogEntry[];
  /** Slugs whose instructions the model gets without a line in the catalog. */
  always: readonly string[];
  /** Slugs that the chat has loaded and may go on using. */
  loaded: readonly string[];
  /** Slugs whose instructions stand in the context, also of what may not be used any more. */
  entered?: readonly string[];
  /** Why what is not there is not there. */
  withheld?: readonly Pick<SkillDecision, 'slug' | 'unmet'>[];
  /** Tokens that the catalog may take; the house's usual number unless given. */
  budget?: number;
  /** As whom the model answers. */
  persona?: TurnPersona | null;
}

const mark = 'always:'; // no slug has a colon

/**
 * The prefix of a chat is frozen, byte for byte. A change of the catalog is appended as a notice; only a chat that gains
 * or loses tools altogether begins a new epoch, since its whole history is projected differently then, and so does one in which the model
 * answers as somebody else.
 */
export function beginEpoch(chat: ChatState, { toolsAllowed, entries, always, loaded, entered = [], withheld = [], budget, persona = null }: Visible): EpochStart {
  const listed = entries.map((entry) => entry.slug).sort();
  // What the chat holds although nobody else is offered it, such as a retired text, is missed as well once it goes.
  const held = loaded.filter((slug) => !listed.includes(slug) && !always.includes(slug));
  const announced = [...[...listed, ...held].sort(), ...always.map((slug) => mark + slug).sort()];
  const stays = samePersona(chat.persona, persona);
  if (chat.prefix === null || chat.prefixTools !== toolsAllowed || !stays) {
    const { text, hash } = renderPrefix({ tools: toolsAllowed, entries, budget, persona });
    const epoch = chat.prefix === null ? 0 : chat.epoch + 1;
    const told = chat.prefix === null ? null : personaNotice(chat.persona, persona);
    const prefix = { prefix: text, prefixHash: hash, prefixTools: toolsAllowed, announced, epoch, ...(stays && !persona ? {} : { persona: persona && refOf(persona) }) };
    return { prefix, notice: told === null ? null : { kind: 'notice', text: told } };
  }
  const usable = new Set([...listed, ...always, ...loaded]);
  const added = entries.filter((entry) => !chat.announced.includes(entry.slug));
  const removed = chat.announced.map((slug) => slug.replace(mark, '')).filter((slug) => !usable.has(slug));
  const { prefix, prefixHash, prefixTools, epoch } = chat;
  const kept = chat.persona ? { persona: chat.persona } : {};
  return { prefix: { prefix, prefixHash, prefixTools, epoch, announced, ...kept }, notice: noticeOf(added, removed, { entered, withheld }) };
}

/** Tokens of a notice: a library that doubles in mid-chat is told of by its groups. */
const noticeBudget = 1_500;

/** Lines as the catalog has them: escaped, and labelled where an account's users wrote them. */
function noticeOf(added: readonly CatalogEntry[], removed: readonly string[], { entered, withheld }: Required<Pick<Visible, 'entered' | 'withheld'>>): EpochStart['notice'] {
  if (added.length === 0 && removed.length === 0) return null;
  const lines = fitCatalog(added, noticeBudget).text.split('\n').slice(1, -1);
  const stale = removed.filter((slug) => entered.includes(slug));
  const parts = [
    'The list of skills has changed.',
    ...(lines.length > 0 ? ['Now also available:', ...lines] : []),
    ...(removed.length > 0 ? [`No longer available: ${removed.join(', ')}`] : []),
    ...(stale.length > 0 ? [`The instructions of ${stale.join(', ')} above do not count any more. Do not follow them, and say so where that matters to the answer.`] : []),
    ...withheld.filter(({ slug, unmet }) => stale.includes(slug) && unmet.length > 0).map(({ slug, unmet }) => `- ${slug}: ${reasonOf(unmet)}`),
  ];
  return { kind: 'notice', text: parts.join('\n') };
}

/** On one line and unable to open a mark of ours: a reason may quote what an account's users wrote. */
const reasonOf = (unmet: SkillDecision['unmet']): string => escapeMarks(oneLine(unmet.map(({ message }) => message).join(' ')));
