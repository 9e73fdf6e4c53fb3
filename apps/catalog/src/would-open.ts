import type { explainSkills } from '@skillgate/contracts/calls/catalog';
import { previewTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isUnavailable } from '@skillgate/contracts/refusal';
import type { CatalogRoom, Standpoint } from './catalog-room.js';
import type { SkillVersion } from './skill-version.js';

type Opens = NonNullable<CallAnswer<typeof explainSkills>['skills'][number]['opens']>;

export interface WouldOpen {
  /** Null when the registry did not answer. */
  of(version: SkillVersion): Opens | null;
  readonly warnings: string[];
}

const nothingAsked: Opens = { loadable: true, profiles: [], tools: [], withheld: [], tokens: 0 };
/** Questions to the registry at a time. */
const together = 8;

/** What loads would open now. Skills that ask for the same are asked for once; those that ask for no tool are not asked for. */
export async function wouldOpen(
  { ask }: CatalogRoom,
  { ticket, minEpoch }: CallParsedInput<typeof explainSkills>,
  { account, foreign, persona }: Standpoint,
  versions: readonly SkillVersion[],
): Promise<WouldOpen> {
  const asking = new Map<string, SkillVersion>();
  for (const version of versions) if (asksForTools(version)) asking.set(keyOf(version), version);
  const answers = new Map<string, Opens>();
  let away = false;
  const left = [...asking];
  const work = async () => {
    for (let next = left.shift(); next && !away; next = left.shift()) {
      const [key, { requires }] = next;
      try {
        const seenAs = { ...(foreign && { account }), ...(persona && { persona: persona.slug }) };
        const { loadable, profiles, tools, withheld, tokens } = await ask(previewTools, { ticket, requires, ...seenAs, ...(minEpoch !== undefined && { minEpoch }) });
        answers.set(key, { loadable, profiles, tools: tools.map(({ name }) => name), withheld, tokens });
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        away = true;
      }
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return {
    of: (version) => (asksForTools(version) ? (answers.get(keyOf(version)) ?? null) : nothingAsked),
    warnings: away ? ['The registry did not answer, so what some skills would open is not known now; ask again.'] : [],
  };
}

const asksForTools = ({ requires }: SkillVersion): boolean => requires.profiles.length > 0 || requires.tools.length > 0;
const keyOf = ({ requires }: SkillVersion): string => JSON.stringify(requires);
