import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { attached, gardenSkills, gardenTools } from './decide/play-turn.fixtures.js';
import { offlineModelId, startOfflineModel, type OfflineModel } from './start.js';

let model: OfflineModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startOfflineModel();
  client = new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0 });
});
afterAll(() => model.stop());

const gate = {
  type: 'function' as const,
  function: {
    name: 'gate',
    description: 'Loads a skill.',
    parameters: { type: 'object', properties: { slug: { type: 'string' } }, required: ['slug'] },
  },
};
const catalog = `<available_skills>\n${gardenSkills.map(({ slug, description }) => `- ${slug}: ${description}`).join('\n')}\n</available_skills>`;

describe('over HTTP, seen by the official client', () => {
  it('lists one model', async () => {
    expect((await client.models.list()).data.map((entry) => entry.id)).toEqual([offlineModelId]);
  });

  it('answers in one piece', async () => {
    const answer = await client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content: 'Who are you?' }] });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: expect.stringContaining('not a language model') },
    });
    expect(answer.usage!.total_tokens).toBe(answer.usage!.prompt_tokens + answer.usage!.completion_tokens);
  });

  it('streams text in small pieces, with usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model: 'any',
      messages: [{ role: 'user', content: 'Who are you?' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let finish: string | null = null;
    let total: number | undefined;
    for await (const chunk of stream) {
      const choice = chunk.choices[0];
      if (choice?.delta.content) pieces.push(choice.delta.content);
      finish = choice?.finish_reason ?? finish;
      total = chunk.usage?.total_tokens ?? total;
    }
    const whole = await client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content: 'Who are you?' }] });
    expect(pieces.join('')).toBe(whole.choices[0]!.message.content);
    expect(pieces.length).toBeGreaterThan(10);
    expect(finish).toBe('stop');
    expect(total).toBe(whole.usage!.total_tokens);
  });

  it('streams a call that the client puts together', async () => {
    const runner = client.chat.completions.stream({
      model: 'any',
      tools: [gate],
      messages: [
        { role: 'system', content: catalog },
        { role: 'user', content: 'Digest my garden journal' },
      ],
    });
    const final = await runner.finalChatCompletion();
    expect(final.choices[0]!.finish_reason).toBe('tool_calls');
    expect(final.choices[0]!.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'gate', arguments: '{"slug":"plant-digest"}' } },
    ]);
  });

  it('streams long arguments whole', async () => {
    const text = 'Frost took many plants in the eastern bed this April. '.repeat(4);
    const messages = [{ role: 'user' as const, content: attached(`Press this:\n\n${text}`) }];
    const press = { type: 'function' as const, function: gardenTools[2]! };
    const choice = { type: 'function' as const, function: { name: press.function.name } };
    const final = await client.chat.completions
      .stream({ model: 'any', tools: [press], tool_choice: choice, messages })
      .finalChatCompletion();
    const call = final.choices[0]!.message.tool_calls![0]!;
    expect(JSON.parse((call as { function: { arguments: string } }).function.arguments)).toMatchObject({
      file_name: 'document.docx',
      markdown: expect.stringContaining('Press this'),
    });
  });

  it('refuses a malformed request in the protocol’s shape', async () => {
    const bad = client.chat.completions.create({ model: 'any', messages: [] });
    await expect(bad).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', param: 'messages' });
  });

  it('keeps to max_tokens and stop', async () => {
    const messages = [{ role: 'user' as const, content: 'Who are you?' }];
    const short = await client.chat.completions.create({ model: 'any', messages, max_completion_tokens: 5 });
    expect(short.choices[0]!.finish_reason).toBe('length');
    expect(short.choices[0]!.message.content!.length).toBeLessThanOrEqual(20);
    const stopped = await client.chat.completions.create({ model: 'any', messages, stop: [' tools'] });
    expect(stopped.choices[0]!.message.content).toBe('No skills or');
  });
});

describe('over HTTP, raw', () => {
  it('ends every stream with [DONE]', async () => {
    const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
    const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
  });

  it.each([
    ['POST', '/chat/completions', '{"model":', 400],
    ['GET', '/chat/completions', undefined, 405],
    ['GET', '/nothing', undefined, 404],
  ])('%s %s answers an error as JSON', async (method, path, body, status) => {
    const response = await fetch(model.url + path, { method, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String), type: 'invalid_request_error' } });
  });

  it('stops while a client is still reading', async () => {
    const slow = await startOfflineModel({ pauseMs: 50 });
    const response = await fetch(`${slow.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    const reading = response.text().catch(() => 'cut');
    await slow.stop();
    expect(await reading).toBe('cut');
  });
});
