import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { exposeTools } from '@skillgate/prompt/expose';
import type { LoadedItem } from '@skillgate/prompt/history';
import { profilesOf } from './profiles-of.js';
import type { TurnContext } from './turn-context.js';

/** A skill whose instructions enter the context, and by which call; `always` skills come by none. */
export interface Fresh {
  readonly skill: LoadedSkill;
  readonly callId?: string;
}

/** The instructions, and in plan `dispatch` the schemas of what they opened: the `tools` array never changes there. */
export function loadedItem({ entry, held }: TurnContext, fresh: readonly Fresh[]): LoadedItem {
  const skills = fresh.map(({ skill: { slug, version, digest, source, instructions } }) => ({ slug, version, digest, source, instructions }));
  const needed = new Set(fresh.flatMap(({ skill }) => profilesOf(skill)));
  const { schemasText } = exposeTools(
    entry.plan,
    held.tools.filter((tool) => needed.has(tool.profile)),
  );
  const callIds = Object.fromEntries(fresh.flatMap(({ skill, callId }) => (callId ? [[skill.slug, callId]] : [])));
  return { kind: 'loaded', skills, callIds, ...(schemasText ? { schemas: schemasText } : {}) };
}
