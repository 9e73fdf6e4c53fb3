import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import OpenAI from 'openai';

export interface Progress {
  stage: string;
  skill?: string;
  tool?: string;
  message: string;
}

export interface Asked {
  turn: string;
  traceId: string;
  answer: string;
  artifacts: ArtifactRef[];
  /** Milliseconds from the request to the last byte. */
  ms: number;
}

export interface Question {
  url: string;
  key: string;
  model: string;
  request: string;
  artifacts: string[];
  chat?: string;
  onProgress(progress: Progress): void;
  onText(text: string): void;
}

/** The options and the extra fields of ours, which the official client passes through. */
type OurChunk = OpenAI.ChatCompletionChunk & { skillgate?: { progress?: Progress; artifact?: ArtifactRef } };

/** One streamed turn with the official OpenAI client: nothing but a base URL and a key. */
export async function askHouse(question: Question): Promise<Asked> {
  const client = new OpenAI({ baseURL: `${question.url}/v1`, apiKey: question.key, maxRetries: 0 });
  const started = performance.now();
  const body = {
    model: question.model,
    stream: true as const,
    messages: [{ role: 'user' as const, content: question.request }],
    skillgate: { artifacts: question.artifacts, progress: true, ...(question.chat ? { chat_id: question.chat } : {}) },
  };
  const { data: stream, response } = await client.chat.completions.create(body).withResponse();
  const asked: Asked = { turn: header(response, 'x-skillgate-turn'), traceId: header(response, 'x-trace-id'), answer: '', artifacts: [], ms: 0 };
  for await (const chunk of stream as AsyncIterable<OurChunk>) {
    if (chunk.skillgate?.progress) question.onProgress(chunk.skillgate.progress);
    if (chunk.skillgate?.artifact) asked.artifacts.push(chunk.skillgate.artifact);
    const text = chunk.choices[0]?.delta.content;
    if (!text) continue;
    asked.answer += text;
    question.onText(text);
  }
  asked.ms = Math.round(performance.now() - started);
  return asked;
}

function header(response: Response, name: string): string {
  const value = response.headers.get(name);
  if (!value) throw new Error(`the answer has no header ${name}: is that a Skillgate gateway?`);
  return value;
}
