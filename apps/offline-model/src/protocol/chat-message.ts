import { BadRequest } from './bad-request.js';
import { list, object } from './fields.js';

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

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** One message of the history; `at` is its place, for the error. */
export function parseMessage(value: unknown, at: string): ChatMessage {
  const fields = object(value, at);
  if (typeof fields.role !== 'string' || !roles.includes(fields.role))
    throw new BadRequest(`${at}.role`, `must be one of ${roles.join(', ')}`);
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
export function checkToolAnswers(messages: ChatMessage[]): void {
  let open = new Set<string>();
  messages.forEach((message, i) => {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId!))
        throw new BadRequest(`messages[${i}].tool_call_id`, 'answers no call of the assistant message before it');
      return;
    }
    if (open.size > 0) throw new BadRequest(`messages[${i}]`, `the call ${[...open][0]} has no tool message with its result`);
    open = new Set(message.toolCalls.map((call) => call.id));
  });
  if (open.size > 0) throw new BadRequest('messages', `the call ${[...open][0]} has no tool message with its result`);
}
