// A process of its own: the same turn as a loop of the `ai` SDK in one process, with the same tools and nothing durable.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { keepInFlight } from './in-flight.js';

/** What the loop must know. */
export interface AiStart {
  readonly modelUrl: string;
  readonly prefix: string;
  readonly instructions: string;
}

process.once('disconnect', () => process.exit());
process.once('message', ({ modelUrl, prefix, instructions }: AiStart) => {
  const model = createOpenAICompatible({ name: 'bench', baseURL: modelUrl, includeUsage: true })('bench');
  const tools = {
    load_skill: tool({ description: 'Load a skill.', inputSchema: z.object({ slug: z.string() }), execute: async () => instructions }),
    bench_read: tool({
      description: 'Reads what there is about a topic. For the bench alone.',
      inputSchema: z.strictObject({ topic: z.string() }),
      execute: async ({ topic }) => ({ topic, rows: ['one', 'two', 'three'] }),
    }),
  };
  const turn = async () => {
    let text = '';
    for await (const piece of streamText({ model, system: prefix, prompt: 'Do the work.', tools, stopWhen: stepCountIs(8) }).textStream) text += piece;
    if (!text.includes('word 31')) throw new Error(`the loop of ai answered: ${text}`);
  };
  process.on('message', ({ inFlight, ms }: { inFlight: number; ms: number }) => void keepInFlight(turn, inFlight, ms).then((did) => process.send?.(did)));
  process.send?.({ ready: true });
});
