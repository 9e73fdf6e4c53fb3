import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ChatMessage, FunctionTool } from '@skillgate/prompt/chat-message';
import { exposeTools } from '@skillgate/prompt/expose';
import { endWithUser, flatten } from '@skillgate/prompt/flatten-history';
import { loadedTexts } from '@skillgate/prompt/loaded-block';
import type { ModelEntry } from '@skillgate/prompt/models';
import { splitPrefix } from '@skillgate/prompt/prefix';
import { project } from '@skillgate/prompt/project-history';
import { repair } from '@skillgate/prompt/repair-history';
import { clientNames, offeredTools } from './client-tools.js';
import { choiceNow, optionsFor } from './request-options.js';
import type { SentRequest } from './token-meter.js';
import type { TurnContext } from './turn-context.js';

export type ModelRequest = ChatCompletionCreateParamsStreaming;

/**
 * The bytes for the model. Without tools there is no `tools` field at all and the history is flattened, since providers
 * refuse calls in a history whose request offers none.
 */
export function buildRequest(context: TurnContext, sampling: Record<string, unknown>, entry: ModelEntry = context.entry): ModelRequest {
  const { toolsAllowed, turn, held, journal } = context;
  const own = offeredTools(turn);
  const hasTools = toolsAllowed || own.length > 0;
  const history = hasTools ? sendable(context) : flattened(context, entry);
  const messages = project(context.prefix, history, entry, context.images) as ModelRequest['messages'];
  // The client's stand before what skills open: the array only grows.
  const ours = toolsAllowed ? exposeTools(entry.plan, held.tools, entry.dialect, own).tools : own;
  const tools = hasTools ? { tools: ours as ModelRequest['tools'] } : {};
  const called = journal.steps.some(({ kind }) => kind !== 'model');
  const choice = hasTools ? choiceNow(turn.request?.toolChoice, clientNames(turn), called) : undefined;
  const options = { ...optionsFor(sampling, entry, hasTools), ...(choice !== undefined && { tool_choice: choice }) };
  const cache = entry.cacheKey ? { prompt_cache_key: turn.chat } : {};
  return { model: entry.id, messages, ...tools, ...options, ...cache, stream: true, stream_options: { include_usage: true } };
}

function flattened({ journal }: TurnContext, { instructions }: ModelEntry) {
  const flat = flatten(journal.visible);
  return instructions === 'tool-result' ? endWithUser(flat) : flat;
}

function sendable({ journal, log }: TurnContext) {
  const { history, repairs } = repair(journal.visible);
  if (repairs.length > 0) log.warn({ repairs: repairs.map(({ reason }) => reason) }, 'the history of a chat had to be repaired');
  return history;
}

/** The same for the token meter. */
export function measurable({ prefix, toolsAllowed, journal }: TurnContext, { messages, tools = [] }: ModelRequest, entry: ModelEntry): SentRequest {
  return {
    prefix: splitPrefix(prefix),
    messages: messages as ChatMessage[],
    tools: tools as FunctionTool[],
    loadedTexts: toolsAllowed ? loadedTexts(journal.visible, entry) : [],
  };
}
