import type { HistorySkill, LoadedItem } from './history.js';
import type { ModelEntry } from './models.js';
import { escapeMarks } from './one-line.js';

/** Where each part of a load goes. Every text stands in the messages exactly as given here. */
export interface LoadedPlacement {
  /** A system message after the round's last result. */
  readonly system?: string;
  /** Call id to what rides in that call's result. */
  readonly results: ReadonlyMap<string, string>;
  /** Text at the user's authority: nobody called for it and it may not be a system message. */
  readonly user?: string;
}

/**
 * Platform skills go to a system message where the model takes one in mid-chat. Everything else rides in the result of the call that
 * loaded it, or, for an `always` skill, in a message at the user's authority. Schemas travel once, with the first of these that exists.
 */
export function placeLoaded({ skills, callIds, schemas }: LoadedItem, { instructions, plan }: ModelEntry): LoadedPlacement {
  const takesSystem = (skill: HistorySkill) => instructions === 'system-message' && skill.source === 'platform';
  const called = (skill: HistorySkill) => (Object.hasOwn(callIds, skill.slug) ? callIds[skill.slug] : undefined);
  const tools = plan === 'dispatch' && schemas ? schemas : undefined;

  const system = skills.filter(takesSystem);
  const rest = skills.filter((skill) => !takesSystem(skill));
  const riding = rest.filter((skill) => called(skill) !== undefined);
  const loose = rest.filter((skill) => called(skill) === undefined);
  const toolsIn = system.length > 0 ? 'system' : riding.length > 0 ? 'results' : loose.length > 0 ? 'user' : instructions === 'system-message' ? 'system' : 'user';

  return {
    system: block(system, toolsIn === 'system' ? tools : undefined),
    results: new Map(riding.map((skill, at) => [called(skill)!, block([skill], toolsIn === 'results' && at === riding.length - 1 ? tools : undefined)!])),
    user: block(loose, toolsIn === 'user' ? tools : undefined),
  };
}

/** Every text of a load as it stands in the messages, for the ledger. */
export function loadedTexts(items: readonly { kind: string }[], entry: ModelEntry): string[] {
  return items
    .filter((item): item is LoadedItem => item.kind === 'loaded')
    .map((item) => placeLoaded(item, entry))
    .flatMap(({ system, results, user }) => [system, ...results.values(), user].filter((text) => text !== undefined));
}

function block(skills: readonly HistorySkill[], schemas: string | undefined): string | undefined {
  if (skills.length === 0 && schemas === undefined) return undefined;
  const tools = schemas === undefined ? '' : `<tools>\n${schemas}\n</tools>\n`;
  return `<loaded_skills>\n${skills.map(section).join('')}${tools}</loaded_skills>`;
}

function section({ slug, version, instructions, source }: HistorySkill): string {
  const label = source === 'account' ? ' written_by="account"' : '';
  return `<skill name="${escapeMarks(slug)}" version="${escapeMarks(version)}"${label}>\n${withoutOurMarks(instructions)}\n</skill>\n`;
}

// Instructions are Markdown and may hold any other mark; only ours would end the section early or forge a label.
const ourMarks = /<(?=\/?(?:loaded_skills|available_skills|skill|tools)\b)/gi;
const withoutOurMarks = (text: string): string => text.replace(ourMarks, '&lt;');
