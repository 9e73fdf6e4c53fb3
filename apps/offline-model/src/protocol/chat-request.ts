import { BadRequest } from './bad-request.js';
import { flag, list, object, type Fields } from './fields.js';
import { checkToolAnswers, parseMessage, type ChatMessage } from './chat-message.js';

export type JsonSchema = { [keyword: string]: unknown };

export interface OfferedTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools: OfferedTool[];
  /** A name means: this function and no other. */
  toolChoice: 'auto' | 'none' | 'required' | { name: string };
  stream: boolean;
  includeUsage: boolean;
  /** Tokens, counted as in `count-tokens.ts`. */
  maxTokens?: number;
  stop: string[];
}

/** Reads a body of POST /v1/chat/completions. Throws BadRequest, which names the field that is wrong. */
export function parseChatRequest(body: unknown): ChatRequest {
  const fields = object(body, null);
  if (typeof fields.model !== 'string' || fields.model === '') throw new BadRequest('model', 'must be a non-empty string');
  if (!Array.isArray(fields.messages) || fields.messages.length === 0) throw new BadRequest('messages', 'must be a non-empty array');
  refuseWhatWeCannotDo(fields);
  const messages = fields.messages.map((message, i) => parseMessage(message, `messages[${i}]`));
  checkToolAnswers(messages);
  const tools =
    fields.tools === undefined || fields.tools === null ? [] : list(fields.tools, 'tools').map((tool, i) => parseTool(tool, `tools[${i}]`));
  return {
    model: fields.model,
    messages,
    tools,
    toolChoice: parseToolChoice(fields.tool_choice, tools),
    stream: flag(fields.stream, 'stream'),
    includeUsage: fields.stream_options
      ? flag(object(fields.stream_options, 'stream_options').include_usage, 'stream_options.include_usage')
      : false,
    maxTokens: tokenLimit(fields.max_completion_tokens ?? fields.max_tokens),
    stop: stopWords(fields.stop),
  };
}

/** An ignored option would look like a fulfilled one. */
function refuseWhatWeCannotDo(fields: Fields): void {
  if (fields.n !== undefined && fields.n !== null && fields.n !== 1)
    throw new BadRequest('n', 'only 1 is supported by the offline stand-in');
  const format = fields.response_format;
  if (format !== undefined && format !== null && object(format, 'response_format').type !== 'text') {
    throw new BadRequest('response_format', 'only {"type":"text"} is supported by the offline stand-in');
  }
}

function parseTool(value: unknown, at: string): OfferedTool {
  const fields = object(value, at);
  if (fields.type !== 'function') throw new BadRequest(`${at}.type`, 'only "function" is supported');
  const declared = object(fields.function, `${at}.function`);
  if (typeof declared.name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(declared.name)) {
    throw new BadRequest(`${at}.function.name`, 'must be 1 to 64 letters, digits, underscores or hyphens');
  }
  const parameters = declared.parameters === undefined ? {} : object(declared.parameters, `${at}.function.parameters`);
  return { name: declared.name, description: typeof declared.description === 'string' ? declared.description : '', parameters };
}

function parseToolChoice(value: unknown, tools: OfferedTool[]): ChatRequest['toolChoice'] {
  if (value === undefined || value === null || value === 'auto') return 'auto';
  if (value === 'none') return 'none';
  if (tools.length === 0) throw new BadRequest('tool_choice', 'is only allowed together with tools');
  if (value === 'required') return 'required';
  const name = object(object(value, 'tool_choice').function, 'tool_choice.function').name;
  if (!tools.some((tool) => tool.name === name)) throw new BadRequest('tool_choice.function.name', 'names no function of tools');
  return { name: name as string };
}

function tokenLimit(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new BadRequest('max_completion_tokens', 'must be a positive integer');
  return value;
}

function stopWords(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const words = typeof value === 'string' ? [value] : list(value, 'stop');
  if (words.some((word) => typeof word !== 'string')) throw new BadRequest('stop', 'must be a string or an array of strings');
  return (words as string[]).filter((word) => word !== '');
}
