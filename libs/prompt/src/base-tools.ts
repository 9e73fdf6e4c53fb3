import type { FunctionTool } from './chat-message.js';

export const loadSkillName = 'load_skill';
export const listSkillsName = 'list_skills';
export const searchChatsName = 'search_chats';
export const fetchImageName = 'fetch_image';
export const callToolName = 'call_tool';
/** Opens with a skill that came with files; the catalog answers. */
export const readSkillFileName = 'read_skill_file';

function define(name: string, description: string, properties: Record<string, unknown>, required: readonly string[]): FunctionTool {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } },
  };
}

/** Every account with tools has these four, in this order, in every request. */
export const baseTools: readonly FunctionTool[] = [
  define(
    loadSkillName,
    'Load a skill of <available_skills> before you work on a task that it fits: its instructions arrive and its tools open.',
    { slug: { type: 'string', description: 'The name at the beginning of its line.' } },
    ['slug'],
  ),
  define(
    listSkillsName,
    'Find skills by words, also those without a line of their own, or list them page by page.',
    { query: { type: 'string', description: 'Words of the task.' }, after: { type: 'string', description: '`next` of the page before.' } },
    [],
  ),
  define(
    searchChatsName,
    "Search the user's earlier chats by words.",
    { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 20, description: 'How many passages, 5 if not given.' } },
    ['query'],
  ),
  define(
    fetchImageName,
    'Fetch a public image by its address so that you can look at it.',
    { url: { type: 'string', description: 'An http or https address.' } },
    ['url'],
  ),
];

export const baseToolNames: readonly string[] = baseTools.map((tool) => tool.function.name);

/** The one door to opened tools in plan `dispatch`: it keeps the tools array constant, and with it the cached prompt. */
export const callTool: FunctionTool = define(
  callToolName,
  'Call a tool that a loaded skill opened, as described under <tools> in <loaded_skills>.',
  {
    name: { type: 'string', description: "The tool's name." },
    arguments: { type: 'object', description: "The tool's arguments, by its own schema.", additionalProperties: true },
  },
  ['name', 'arguments'],
);
