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
 * loaded it, or, for an `always` skill, in a message at the user's authority. Schemas travel once, beside one of the skills.
 */
export function placeLoaded({ skills, callIds, schemas }: LoadedItem, { instructions, plan }: ModelEntry): LoadedPlacement {
  const bySystem = instructions === 'system-message';
  const callOf = ({ slug }: HistorySkill) => (Object.hasOwn(callIds, slug) ? callIds[slug] : undefined);
  const system = skills.filter(({ source }) => bySystem && source === 'platform');
  const rest = skills.filter((skill) => !system.includes(skill));
  const riding = new Map<string, HistorySkill[]>();
  for (const skill of rest) {
    const callId = callOf(skill);
    if (callId !== undefined) riding.set(callId, [...(riding.get(callId) ?? []), skill]);
  }
  const loose = rest.filter((skill) => callOf(skill) === undefined);

  const tools = plan === 'dispatch' ? schemas : undefined;
  const carrier = system[0] ?? [...riding.values()].at(-1)?.[0] ?? loose[0];
  const blockOf = (group: readonly HistorySkill[]) => block(group, carrier && group.includes(carrier) ? tools : undefined);
  const toolsAlone = carrier ? undefined : block([], tools); // tools that open later for a skill loaded before
  return {
    system: blockOf(system) ?? (bySystem ? toolsAlone : undefined),
    results: new Map(Array.from(riding, ([callId, group]) => [callId, blockOf(group)!])),
    user: blockOf(loose) ?? (bySystem ? undefined : toolsAlone),
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
  if (skills.length === 0 && !schemas) return undefined;
  const tools = !schemas ? '' : `<tools>\n${schemas}\n</tools>\n`;
  return `<loaded_skills>\n${skills.map(section).join('')}${tools}</loaded_skills>`;
}

function section({ slug, version, instructions, source, replaces }: HistorySkill): string {
  const label = source === 'account' ? ' written_by="account"' : '';
  const old = replaces === undefined ? '' : escapeMarks(replaces);
  // In words as well: a model that sees two texts of one skill must know which of them counts.
  const told = old && `(These instructions replace those of ${old}, which stand above. Follow those no longer.)\n`;
  return `<skill name="${escapeMarks(slug)}" version="${escapeMarks(version)}"${label}${old && ` replaces="${old}"`}>\n${told}${withoutOurMarks(instructions)}\n</skill>\n`;
}

// Instructions are Markdown and may hold any other mark; only ours would end the section early or forge a label.
const ourMarks = /<(?=\/?(?:loaded_skills|available_skills|skill|tools)\b)/gi;
const withoutOurMarks = (text: string): string => text.replace(ourMarks, '&lt;');

const blocks = /<(?=\/?(?:loaded_skills|available_skills|summary|facts|notice|result_images)\b)/gi;

/** A tool's result, which may quote a stranger's file: it cannot pass for a loaded skill or a catalog. */
export const withoutBlocks = (result: string): string => result.replace(blocks, '&lt;');
