/** The parts of an OpenAI chat completion request that scripts look at; all else is there too. */
export interface ChatRequest {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  messages: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string; [key: string]: unknown }[];
  tools?: { type: string; function: { name: string; description?: string; parameters?: unknown } }[];
  [key: string]: unknown;
}

export interface ScriptedToolCall {
  name: string;
  /** JSON text as it is, or a value to be written as JSON. Default `{}`. */
  arguments?: unknown;
  /** Default `call_<n>`, counted over the whole script. */
  id?: string;
  /** What the streamed pieces say about their place. Default: the right one. `missing`: nothing, as some servers do. */
  index?: number | 'missing';
  /** How the argument text is cut in streaming. Default: a piece with the name and no arguments, then two halves. */
  pieces?: 'whole' | readonly string[];
}

/** One answer of the model. Without `text`, `toolCalls`, `error` or `cut` it is an empty message. */
export interface ScriptStep {
  /** Throws when the request is not the one that the script is about; that fails the test. */
  expect?: (request: ChatRequest) => void;
  /** One string a chunk; a function is awaited in its place, to hold the stream until the test lets it go on. */
  text?: string | readonly (string | (() => Promise<unknown>))[];
  toolCalls?: readonly ScriptedToolCall[];
  /** Raw `delta` objects, after text and tool calls: for what no decent server sends. */
  deltas?: readonly Record<string, unknown>[];
  /** Default: `tool_calls` after tool calls, else `stop`. */
  finish?: string;
  /** Default: counted by length. `null`: the provider reports none. */
  usage?: { prompt: number; completion: number; cached?: number } | null;
  /** Milliseconds before the first byte. */
  delayMs?: number;
  /** An HTTP error in place of an answer. */
  error?: { status: number; message?: string; code?: string; retryAfterSeconds?: number };
  /** Breaks the connection after that many chunks; 0: before the status line. */
  cut?: number;
}

/** A step, or what makes one from the request. */
export type Script = readonly (ScriptStep | ((request: ChatRequest) => ScriptStep | Promise<ScriptStep>))[];
