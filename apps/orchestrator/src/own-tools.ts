import type { TurnContext } from './turn-context.js';
import { ownAnswer, refusedCall, type ToolRun } from './run-tool.js';

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The base tools that the orchestrator owns, `load_skill` aside: it is the gate and has a file of its own. */
export function runOwnTool(context: TurnContext, callId: string, name: string, args: Record<string, unknown>): ToolRun {
  switch (name) {
    case 'list_skills':
      return ownAnswer(callId, name, listSkills(context, typeof args.query === 'string' ? args.query : ''));
    case 'search_chats':
      return refusedCall(callId, name, 'not-available-yet', 'Searching earlier chats is not available on this installation. Work with what this chat holds.');
    case 'fetch_image':
      return refusedCall(callId, name, 'not-available-yet', 'Fetching images is not available on this installation. Ask the user to attach the image.');
    default:
      return refusedCall(callId, name, 'unknown-tool', `There is no tool "${name}".`);
  }
}

/** The lines whose words meet the query, best first; all of them without one. */
function listSkills({ entries }: TurnContext, query: string): string {
  const wanted = new Set(wordsOf(query));
  const scored = entries.map((entry) => ({ entry, hits: wordsOf(`${entry.slug} ${entry.description}`).filter((word) => wanted.has(word)).length }));
  const chosen = wanted.size === 0 ? scored : scored.filter(({ hits }) => hits > 0).sort((a, b) => b.hits - a.hits);
  return JSON.stringify({ skills: chosen.map(({ entry }) => entry), ...(chosen.length === 0 ? { message: 'No listed skill matches. Answer without one, or ask the user.' } : {}) });
}
