import { previewEntries } from '@skillgate/contracts/calls/catalog';
import type { previewCatalog } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { countLines } from '@skillgate/prompt/catalog-line';
import { countTokens } from '@skillgate/prompt/count-tokens';
import { splitPrefix } from '@skillgate/prompt/prefix';
import { type AcceptParts, entryOf } from './accept-turn.js';
import { beginEpoch } from './begin-epoch.js';
import type { ChatStore } from './chat-store.js';
import { latestOf } from './entering-skills.js';
import { personaOf, refOf } from './turn-persona.js';
import type { ChatState } from './turn-records.js';

/** The ticket as it came, and what it says. */
export interface Shown {
  readonly token: string;
  readonly claims: TicketClaims;
}

const fresh: ChatState = { prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, history: [] };
const mark = 'always:'; // as begin-epoch.ts announces them

/** The head of the next turn, made by what makes it there; nothing is written. Refusals: `unknown-model`, `unknown-chat`, `unknown-persona`. */
export async function preview(
  parts: Pick<AcceptParts, 'wire' | 'models' | 'config'>,
  chats: Pick<ChatStore, 'state'>,
  { token, claims }: Shown,
  wanted?: string,
): Promise<CallAnswer<typeof previewCatalog>> {
  const { account, user, chat } = claims;
  const persona = claims.persona ? await personaOf(parts.wire, token, claims.persona) : null;
  const entry = entryOf(parts, wanted ?? persona?.model ?? parts.config.SKILLGATE_MODEL);
  const [seen, state] = await Promise.all([
    parts.wire.call(previewEntries, { ticket: token, modelUsesTools: entry.usesTools }),
    chat ? chats.state({ account, user }, chat) : fresh,
  ]);
  const { toolsAllowed, entries, always, warnings } = seen;
  const budget = parts.config.SKILLGATE_CATALOG_TOKENS;
  // Hidden skills are not named to people: what the chat was told of them stands.
  const injected = [...new Set([...always.skills, ...state.announced.filter((slug) => slug.startsWith(mark)).map((slug) => slug.slice(mark.length))])];
  const begun = beginEpoch(state, { toolsAllowed, entries, always: injected, loaded: state.pinned.map(({ slug }) => slug), entered: [...latestOf(state.history).keys()], budget, persona });
  const { base, catalog } = splitPrefix(begun.prefix.prefix ?? '');
  const notice = begun.notice?.text ?? null;
  return {
    ...{ model: entry.id, persona: persona && refOf(persona), toolsAllowed, block: catalog, hash: begun.prefix.prefixHash ?? '' },
    ...{ frozen: state.prefix !== null && begun.prefix.epoch === state.epoch, notice },
    tokens: { base: countTokens(base), catalog: countTokens(catalog), notice: notice === null ? 0 : countTokens(notice), always: always.tokens },
    ...{ budget, lines: countLines(catalog), always, warnings },
  };
}
