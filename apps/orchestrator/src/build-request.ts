import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { exposeTools } from '@skillgate/prompt/expose';
import { flatten } from '@skillgate/prompt/flatten-history';
import { project } from '@skillgate/prompt/project-history';
import { repair } from '@skillgate/prompt/repair-history';
import type { TurnContext } from './turn-context.js';

export type ModelRequest = ChatCompletionCreateParamsStreaming;

/**
 * The bytes for the model. Without tools there is no `tools` field at all and the history is flattened, since providers
 * refuse calls in a history whose request offers none.
 */
export function buildRequest(context: TurnContext, sampling: Record<string, unknown>): ModelRequest {
  const { entry, toolsAllowed, turn, journal, held } = context;
  const history = toolsAllowed ? repair(journal.history).history : flatten(journal.history);
  const messages = project(context.prefix, history, entry) as ModelRequest['messages'];
  const tools = toolsAllowed ? { tools: exposeTools(entry.plan, held.tools).tools as ModelRequest['tools'] } : {};
  const cache = entry.cacheKey ? { prompt_cache_key: turn.chat } : {};
  return { model: turn.model, messages, ...tools, ...sampling, ...cache, stream: true, stream_options: { include_usage: true } };
}
