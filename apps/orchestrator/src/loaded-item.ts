import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { exposeTools } from '@skillgate/prompt/expose';
import type { HistoryItem, LoadedItem } from '@skillgate/prompt/history';
import type { TurnContext } from './turn-context.js';

/** A skill whose instructions enter the context, and by which call; `always` skills come by none. */
export interface Fresh {
  readonly skill: LoadedSkill;
  readonly callId?: string;
}

/**
 * The instructions, and in plan `dispatch`, whose `tools` array never changes, the schemas of what is open and was not shown yet:
 * opened by these skills, or later than its skill was loaded. Null when there is nothing to tell.
 */
export function loadedItem({ entry, held, journal }: TurnContext, fresh: readonly Fresh[]): LoadedItem | null {
  const { schemasText } = exposeTools(entry.plan, unshown(held.tools, journal.visible));
  if (fresh.length === 0 && !schemasText) return null;
  const skills = fresh.map(({ skill: { slug, version, digest, source, instructions, replaces } }) => ({ slug, version, digest, source, instructions, ...(replaces && { replaces }) }));
  const callIds = Object.fromEntries(fresh.flatMap(({ skill, callId }) => (callId ? [[skill.slug, callId]] : [])));
  return { kind: 'loaded', skills, callIds, ...(schemasText ? { schemas: schemasText } : {}) };
}

/** Those whose schemas stand nowhere in the history. */
export function unshown(tools: readonly OpenedTool[], history: readonly HistoryItem[]): OpenedTool[] {
  const lines = history.flatMap((item) => (item.kind === 'loaded' && item.schemas ? item.schemas.split('\n') : []));
  const shown = new Set(lines.map((line) => (JSON.parse(line) as { name: string }).name));
  return tools.filter(({ name }) => !shown.has(name));
}
