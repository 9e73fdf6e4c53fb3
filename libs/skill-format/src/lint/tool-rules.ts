import { didYouMean } from '../near-names.js';
import type { Found, LintVocabulary } from './finding.js';
import { withoutFences } from './fences.js';
import { fieldPlace, type OpenedFile, type OpenedSkill } from './open-package.js';

const snake = /[a-z][a-z0-9]*(?:_[a-z0-9]+)+/g;
const quoted = /^`[^`\n]*`/; // with what stands around a name between back-ticks
// Names of arguments and fields look like tools; these endings are never an operation.
const noOperation = /_(?:id|ids|name|names|url|path|token|type|date|key|count)$/;

/** Does what the skill orders exist, once its profiles are open? Texts beside SKILL.md order too. */
export function toolRules(opened: OpenedSkill, { profileTools, baseTools = [] }: LintVocabulary): Found[] {
  const { skill, files } = opened;
  if (!skill || !profileTools) return [];
  const house: House = { homes: homesOf(profileTools), open: new Set(baseTools), prefixes: new Set() };
  for (const profile of skill.requires.profiles) for (const tool of ownEntry(profileTools, profile)) house.open.add(tool);
  for (const tool of house.homes.keys()) house.prefixes.add(tool.slice(0, tool.indexOf('_')));
  const required = skill.requires.tools
    .filter((tool) => house.homes.has(tool) && !house.open.has(tool))
    .map((tool): Found => ({ ...unopened(tool, house), at: fieldPlace(opened, 'skillgate.tools') }));
  return [...required, ...files.filter(({ path }) => path.endsWith('.md')).flatMap((file) => orders(file, opened, house))];
}

interface House {
  /** Tool to the profile that has it. */
  readonly homes: ReadonlyMap<string, string>;
  /** What is there when the skill's profiles are. */
  readonly open: Set<string>;
  /** First words of tools: docs, gmail. */
  readonly prefixes: Set<string>;
}

function homesOf(profileTools: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  return new Map(Object.entries(profileTools).flatMap(([profile, tools]) => tools.map((tool) => [tool, profile] as const)));
}

const ownEntry = (profileTools: Readonly<Record<string, readonly string[]>>, profile: string): readonly string[] =>
  Object.hasOwn(profileTools, profile) ? profileTools[profile]! : [];

function orders({ path, text = '', placeOf }: OpenedFile, { bodyOffset }: OpenedSkill, house: House): Found[] {
  const found = new Map<string, Found>(); // the first place of each name is enough
  const from = path === 'SKILL.md' ? bodyOffset : 0;
  // An example in a reference shows what another skill may say; SKILL.md means what it says.
  const said = path === 'SKILL.md' ? text : withoutFences(text);
  for (const match of said.matchAll(snake)) {
    const [name] = match;
    if (match.index < from || found.has(name) || house.open.has(name) || isPartOfWord(text, match.index, name.length)) continue;
    const place = { file: path, at: placeOf(match.index) };
    if (house.homes.has(name)) found.set(name, { ...unopened(name, house), ...place });
    else if (mayBeTool(text, match.index, name, house)) {
      const near = didYouMean(name, house.homes.keys());
      found.set(name, { rule: 'tool-unknown', message: `The instructions name the tool "${name}", which no profile here has${near || '.'}`, ...place });
    }
  }
  return [...found.values()];
}

const unopened = (tool: string, { homes }: House): Found => ({
  rule: 'tool-unopened',
  message: `"${tool}" belongs to the profile "${homes.get(tool)}", which the skill does not declare.`,
});

/** As in my-docs_read_text.md: a name that is glued to something else is another name. */
const isPartOfWord = (text: string, index: number, length: number): boolean =>
  /[\w.$/-]/.test(text[index - 1] ?? ' ') || /^(?:[\w$/-]|\.\w)/.test(text.slice(index + length, index + length + 2));

/** Between back-ticks, alone or with arguments, and it begins as tools here do. */
function mayBeTool(text: string, index: number, name: string, { prefixes }: House): boolean {
  if (text[index - 1] !== '`' || noOperation.test(name) || !prefixes.has(name.slice(0, name.indexOf('_')))) return false;
  const span = quoted.exec(text.slice(index - 1, index + 200))?.[0] ?? '';
  return span === `\`${name}\`` || span.startsWith(`\`${name}(`);
}
