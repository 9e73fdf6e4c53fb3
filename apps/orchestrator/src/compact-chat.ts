import { isHouseError } from '@skillgate/contracts/refusal';
import { cutHistory } from '@skillgate/prompt/cut-history';
import { exposeTools } from '@skillgate/prompt/expose';
import type { HistoryItem, HistorySkill, LoadedItem } from '@skillgate/prompt/history';
import { historyTokens } from '@skillgate/prompt/item-tokens';
import { transcriptOf } from '@skillgate/prompt/summary-prompt';
import { contextTokens, roomOf, surelyFits } from './context-size.js';
import { unshown } from './loaded-item.js';
import { newEpoch } from './new-epoch.js';
import { errorType } from './spans.js';
import { type Summary, summarise } from './summarise.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/** Of the room this share is left to what was said last, word for word. */
const kept = 0.25;
/** A cut that frees less of the room than this is not worth what it costs. */
const worth = 0.1;

/**
 * Where the chat has outgrown its model's window, a summary takes the place of its beginning, and a new epoch of the prompt begins.
 * The instructions of loaded skills are no part of what is summarised: they stand behind the summary, word for word, once; what they
 * opened stays open. What cannot be summarised is left out, and the model is told so.
 *
 * @param force the provider said that the request was too long, whatever we counted
 * @returns whether the context is shorter now
 */
export async function compactChat(context: TurnContext, parts: TurnParts, force = false): Promise<boolean> {
  const { journal, publisher, log, turn } = context;
  const share = parts.config.SKILLGATE_COMPACT_AT;
  const room = roomOf(context.answering, parts.sampling, share);
  if (!force && surelyFits(context, room)) return false;
  const tokensBefore = contextTokens(context);
  if (!force && tokensBefore <= room) return false;
  const history = journal.visible;
  const standing = journal.compacted?.items.length ?? 0;
  const keepTokens = Math.floor(Math.min(room, tokensBefore) * kept);
  const cut = cutHistory(history, standing, keepTokens);
  const gone = history.slice(0, cut?.from ?? 0);
  if (!cut || (!force && historyTokens(gone.filter(({ kind }) => kind !== 'loaded')) - historyTokens(cut.carried) < room * worth)) return false;

  publisher.progress({ stage: 'working', message: 'The chat has become long; its beginning is being summarised' });
  const started = performance.now();
  const { summary, reason } = await trySummary(context, parts, gone, room);
  const loaded = loadedState(context, gone, history.slice(cut.from));
  const item: HistoryItem = { kind: 'summary', text: summary?.text ?? leftOut };
  journal.compact({ from: (journal.compacted?.from ?? 0) - standing + cut.from, items: [item, ...(loaded ? [loaded] : []), ...cut.carried] });
  newEpoch(context);
  const tokensAfter = contextTokens(context);
  journal.steps.push({
    kind: 'model',
    ms: Math.round(performance.now() - started),
    inputTokens: summary?.inputTokens ?? null,
    outputTokens: summary?.outputTokens ?? null,
    cachedTokens: null,
    ...(summary && { usd: summary.usd }),
    finish: 'compacted',
    model: summary?.model ?? context.answering.id,
    compacted: { tokensBefore, tokensAfter, how: summary ? 'summary' : 'cut', reason },
  });
  log.info({ turn: turn.turn, tokensBefore, tokensAfter, how: summary ? 'summary' : 'cut', reason }, 'the beginning of a chat was compacted');
  return tokensAfter < tokensBefore;
}

const leftOut = 'The earlier part of this chat was longer than fits and is left out here without a summary. Where you need something of it, say so and ask the user.';

async function trySummary(context: TurnContext, parts: TurnParts, gone: readonly HistoryItem[], room: number): Promise<{ summary: Summary | null; reason: string | null }> {
  try {
    return { summary: await summarise(context, parts, transcriptOf(gone), room), reason: null };
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log.warn({ err: error, turn: context.turn.turn }, 'the beginning of a chat could not be summarised and is left out');
    return { summary: null, reason: isHouseError(error) ? error.slug : errorType(error) };
  }
}

/** The skills that the cut would take out of the context, in the order in which they entered it, as far as they may still be used. */
function loadedState({ toolsAllowed, loaded, entry, held }: TurnContext, gone: readonly HistoryItem[], rest: readonly HistoryItem[]): LoadedItem | null {
  const there = new Set(skillsOf(rest).map(({ slug }) => slug));
  const usable = new Set(loaded.map(({ slug }) => slug));
  const skills = new Map<string, HistorySkill>();
  for (const skill of skillsOf(gone)) {
    // Without tools nothing of it is sent; it waits for the day on which the account has them again.
    if (!there.has(skill.slug) && (usable.has(skill.slug) || !toolsAllowed)) skills.set(skill.slug, skill);
  }
  const schemas = toolsAllowed ? exposeTools(entry.plan, unshown(held.tools, rest)).schemasText : undefined;
  if (skills.size === 0 && !schemas) return null;
  return { kind: 'loaded', skills: [...skills.values()], callIds: {}, ...(schemas ? { schemas } : {}) };
}

const skillsOf = (items: readonly HistoryItem[]): HistorySkill[] => items.flatMap((item) => (item.kind === 'loaded' ? item.skills : []));
