import type { ContextEconomy } from './context.js';

const count = (n: number): string => n.toLocaleString('en-US');
const share = (part: number): string => `${(part * 100).toFixed(1)} %`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** `docs/context-economy.md`, whole. */
export function contextDocument({ skills, tools, profiles, tokens, reduction, profilesDetail, flows, growth }: ContextEconomy): string {
  return `# The context that gating saves

Made by \`bin/measure context --write\` from the skills and executors of this tree; a test keeps it current. Tokens are counted in o200k.
The account may use everything and every profile counts as served for the catalog; tools count only where an executor stands in
this tree. *Everything at once* is a prompt with all visible instructions and all tool definitions, which is what grows when there are no gates.

## The first model call

${table(
  ['what', 'Skillgate', 'everything at once', 'less'],
  [
    [`skills: ${skills.visible} visible, ${skills.hidden} hidden (median body ${count(skills.medianBody)})`, `${count(tokens.catalog)} (catalog)`, `${count(tokens.bodies)} (instructions)`, share(reduction.catalog)],
    [`tools: ${tools.base} of ${tools.all}, ${profiles} ${profiles === 1 ? 'profile' : 'profiles'} served`, count(tokens.baseTools), count(tokens.allTools), share(reduction.tools)],
    ['whole request', count(tokens.firstCall), count(tokens.monolith), share(reduction.firstCall)],
  ],
)}

## Beside the published figures

The case study that this platform takes as its yardstick reports 55 visible skills and 115 tools, of which four are always there.

${table(
  ['what', 'published', 'here'],
  [
    ['catalog against all instructions', '5.1k against 67k tokens, 92.5 % less', `${count(tokens.catalog)} against ${count(tokens.bodies)}, ${share(reduction.catalog)} less`],
    ['tools in the first call', '4 against 115, 97.7 % fewer tokens', `${tools.base} against ${tools.all}, ${share(reduction.tools)} fewer tokens`],
  ],
)}

## After a load

The request that follows on \`load_skill\`, with the instructions and the tools that opened.

${table(
  ['work', 'skill', 'tools opened', 'Skillgate', 'everything at once', 'less'],
  flows.map(({ name, skill, toolsOpened, tokens: sent, monolith }) => [name, skill, String(toolsOpened), count(sent), count(monolith), share(1 - sent / monolith)]),
)}

## Profiles

${table(['profile', 'tools', 'tokens'], profilesDetail.map((profile) => [profile.id, String(profile.tools), count(profile.tokens)]))}

## When the library grows

The same lines again and again under other names. Full lines give way to shorter ones, and those to groups that \`list_skills\` opens.

${table(
  ['skills', 'catalog tokens', 'full lines', 'shortened', 'in groups'],
  growth.map((size) => [count(size.skills), count(size.catalogTokens), count(size.full), count(size.shortened), count(size.grouped)]),
)}
`;
}
