import { BadRequest } from './bad-request.js';

export type JsonSchema = { [keyword: string]: unknown };

export interface ToolCall {
  id: string;
  name: string;
  /** Raw JSON text, as the protocol carries it. */
  arguments: string;
}

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  text: string;
  toolCalls: ToolCall[];
  toolCallId?: string;
}

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

type Fields = Record<string, unknown>;
const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Reads a body of POST /v1/chat/completions. Throws BadRequest, which names the field that is wrong. */
export function parseChatRequest(body: unknown): ChatRequest {
  const fields = object(body, null);
  if (typeof fields.model !== 'string' || fields.model === '') throw new BadRequest('model', 'must be a non-empty string');
  if (!Array.isArray(fields.messages) || fields.messages.length === 0) throw new BadRequest('messages', 'must be a non-empty array');
  refuseWhatWeCannotDo(fields);
  const messages = fields.messages.map((message, i) => parseMessage(message, `messages[${i}]`));
  checkToolAnswers(messages);
  const tools = fields.tools === undefined || fields.tools === null ? [] : list(fields.tools, 'tools').map((tool, i) => parseTool(tool, `tools[${i}]`));
  return {
    model: fields.model,
    messages,
    tools,
    toolChoice: parseToolChoice(fields.tool_choice, tools),
    stream: flag(fields.stream, 'stream'),
    includeUsage: fields.stream_options ? flag(object(fields.stream_options, 'stream_options').include_usage, 'stream_options.include_usage') : false,
    maxTokens: tokenLimit(fields.max_completion_tokens ?? fields.max_tokens),
    stop: stopWords(fields.stop),
  };
}

/** An ignored option would look like a fulfilled one. */
function refuseWhatWeCannotDo(fields: Fields): void {
  if (fields.n !== undefined && fields.n !== null && fields.n !== 1) throw new BadRequest('n', 'only 1 is supported by the offline stand-in');
  const format = fields.response_format;
  if (format !== undefined && format !== null && object(format, 'response_format').type !== 'text') {
    throw new BadRequest('response_format', 'only {"type":"text"} is supported by the offline stand-in');
  }
}

function parseMessage(value: unknown, at: string): ChatMessage {
  const fields = object(value, at);
  if (typeof fields.role !== 'string' || !roles.includes(fields.role)) throw new BadRequest(`${at}.role`, `must be one of ${roles.join(', ')}`);
  const role = fields.role as ChatMessage['role'];
  const calls = fields.tool_calls === undefined || fields.tool_calls === null ? [] : list(fields.tool_calls, `${at}.tool_calls`);
  if (calls.length > 0 && role !== 'assistant') throw new BadRequest(`${at}.tool_calls`, 'only an assistant message may carry tool calls');
  const toolCalls = calls.map((call, i) => parseToolCall(call, `${at}.tool_calls[${i}]`));
  if (role === 'tool' && typeof fields.tool_call_id !== 'string') throw new BadRequest(`${at}.tool_call_id`, 'must be a string');
  const silent = fields.content === undefined || fields.content === null;
  if (silent && role !== 'assistant') throw new BadRequest(`${at}.content`, 'must be a string or an array of text parts');
  const text = silent ? '' : contentText(fields.content, `${at}.content`);
  return { role, text, toolCalls, ...(role === 'tool' ? { toolCallId: fields.tool_call_id as string } : {}) };
}

function contentText(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  return list(content, at)
    .map((value, i) => {
      const part = object(value, `${at}[${i}]`);
      if (part.type !== 'text') return '';
      if (typeof part.text !== 'string') throw new BadRequest(`${at}[${i}].text`, 'must be a string');
      return part.text;
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

function parseToolCall(value: unknown, at: string): ToolCall {
  const call = object(value, at);
  const called = object(call.function, `${at}.function`);
  if (typeof call.id !== 'string' || call.id === '') throw new BadRequest(`${at}.id`, 'must be a non-empty string');
  if (typeof called.name !== 'string' || called.name === '') throw new BadRequest(`${at}.function.name`, 'must be a non-empty string');
  if (typeof called.arguments !== 'string') throw new BadRequest(`${at}.function.arguments`, 'must be a string of JSON');
  return { id: call.id, name: called.name, arguments: called.arguments };
}

/** Providers refuse a history in which a call has no result; a stand-in that accepted it would hide the fault. */
function checkToolAnswers(messages: ChatMessage[]): void {
  let open = new Set<string>();
  messages.forEach((message, i) => {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId!)) throw new BadRequest(`messages[${i}].tool_call_id`, 'answers no call of the assistant message before it');
      return;
    }
    if (open.size > 0) throw new BadRequest(`messages[${i}]`, `the call ${[...open][0]} has no tool message with its result`);
    open = new Set(message.toolCalls.map((call) => call.id));
  });
  if (open.size > 0) throw new BadRequest('messages', `the call ${[...open][0]} has no tool message with its result`);
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
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) throw new BadRequest('max_completion_tokens', 'must be a positive integer');
  return value;
}

function stopWords(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const words = typeof value === 'string' ? [value] : list(value, 'stop');
  if (words.some((word) => typeof word !== 'string')) throw new BadRequest('stop', 'must be a string or an array of strings');
  return (words as string[]).filter((word) => word !== '');
}

function flag(value: unknown, at: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new BadRequest(at, 'must be true or false');
  return value;
}

function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new BadRequest(at, 'must be an array');
  return value;
}

function object(value: unknown, at: string | null): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest(at, 'must be a JSON object');
  return value as Fields;
}
