// Proves: a persona is a model id; changing it in mid-chat changes prompt, skills and route together, and back; a chat's own states, the preview and the
// explanation say what the next turn does. What the model is sent is read from its requests.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '@skillgate/testing/script';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

let t: TestHouse;
beforeAll(async () => {
  t = await startTestHouse();
}, 60_000);
afterAll(() => t?.stop());

const send = async (method: string, path: string, body?: object) => {
  const response = await fetch(t.house.url + path, {
    method,
    headers: { authorization: `Bearer ${t.house.keys.pro}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** One turn that says something; what the model was sent, and the route. */
async function say(model: string, chat?: string) {
  let head = '';
  let all = '';
  let asked = '';
  const note = ({ messages, model: id }: ChatRequest & { model?: string }) => {
    head = String(messages[0]?.content);
    all = JSON.stringify(messages);
    asked = String(id);
  };
  const answer = await t.turn([{ expect: note, text: 'Well.' }], { model, messages: [{ role: 'user', content: 'Go on.' }], ...(chat && { skillgate: { chat_id: chat } }) });
  return { chat: answer.chat, head, all, asked, route: await t.route(answer.turn) };
}
const lineOf = (head: string, slug: string) => head.includes(`\n- ${slug}: `);
const catalogOf = (head: string) => head.slice(head.lastIndexOf('<available_skills>'));

describe('a persona in mid-chat', () => {
  it('changes prompt, skills and route together, in a new epoch, and ends the same way', async () => {
    const made = await send('POST', '/api/v1/personas', {
      ...{ slug: 'editor', name: 'The editor', instructions: 'Strike out every <b>adverb</b>.' },
      skills: { brainstorming: 'never', 'briefing-memo': 'always' },
    });
    expect(made).toMatchObject({ status: 201, body: { modelId: 'persona/editor', warnings: [] } });
    const { data } = (await send('GET', '/v1/models')).body as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toContain('persona/editor');

    const plain = await say(modelId);
    expect([lineOf(plain.head, 'brainstorming'), plain.head.includes('<persona'), plain.route.persona]).toEqual([true, false, null]);

    const edited = await say('persona/editor', plain.chat);
    expect(edited.asked).toBe(modelId);
    expect(edited.head).toContain('Strike out every &lt;b&gt;adverb&lt;/b&gt;.');
    expect([lineOf(edited.head, 'brainstorming'), lineOf(edited.head, 'briefing-memo')]).toEqual([false, false]);
    expect(edited.all).toContain('<loaded_skills>');
    expect(edited.all).toContain('you are the persona');
    expect(edited.route).toMatchObject({ persona: { slug: 'editor', revision: 1, changed: true } });
    expect(edited.route.withheld).toContainEqual(expect.objectContaining({ slug: 'brainstorming', layer: 'persona', state: 'never' }));
    expect(edited.route.decisions).toContainEqual(expect.objectContaining({ slug: 'briefing-memo', layer: 'persona', state: 'always' }));
    expect((await send('GET', `/api/v1/chats/${plain.chat}`)).body).toMatchObject({ persona: { slug: 'editor' }, epoch: 1 });

    const still = await say('persona/editor', plain.chat);
    expect([still.head === edited.head, still.route.persona]).toEqual([true, expect.objectContaining({ changed: false })]);

    const back = await say(modelId, plain.chat);
    expect(back.head).toBe(plain.head);
    expect(back.all).toContain('has ended');
    expect(back.route).toMatchObject({ persona: null, personaEnded: { slug: 'editor' } });
    expect((await send('GET', `/api/v1/chats/${plain.chat}`)).body).toMatchObject({ persona: null, epoch: 2 });
  });

  it('whose words were changed has the new ones in its next turn, and one that was retired is no model any more', async () => {
    const { chat } = await say('persona/editor');
    await send('PATCH', '/api/v1/personas/editor', { instructions: 'Keep every adverb.' });
    const next = await say('persona/editor', chat);
    expect([next.head.includes('Keep every adverb.'), next.head.includes('Strike out')]).toEqual([true, false]);
    expect((await send('DELETE', '/api/v1/personas/editor')).status).toBe(200);
    const gone = await send('POST', '/v1/chat/completions', { model: 'persona/editor', messages: [{ role: 'user', content: 'x' }] });
    expect(gone).toMatchObject({ status: 404, body: { error: { code: 'unknown-model' } } });
  });
});

describe('states of a chat', () => {
  it('count in its next turn, leave its frozen head alone, and are told, explained and previewed', async () => {
    const first = await say(modelId);
    const path = `/api/v1/chats/${first.chat}/skills`;
    expect(await send('PATCH', path, { brainstorming: 'never', nothing: 'never' })).toMatchObject({ status: 404, body: { slug: 'unknown-skill' } });
    expect(await send('PATCH', path, { brainstorming: 'never' })).toMatchObject({ status: 200, body: { skills: { brainstorming: 'never' } } });

    const preview = (await send('GET', `/api/v1/catalog:preview?chat=${first.chat}`)).body as { frozen: boolean; block: string; notice: string };
    expect(preview).toMatchObject({ frozen: true, notice: expect.stringContaining('brainstorming') });
    const next = await say(modelId, first.chat);
    expect([next.head === first.head, catalogOf(next.head)]).toEqual([true, preview.block]);
    expect(next.all).toContain('No longer available: brainstorming');
    expect(next.route.withheld).toContainEqual(expect.objectContaining({ slug: 'brainstorming', layer: 'chat' }));
    const { skills } = (await send('GET', `/api/v1/explain?skill=brainstorming&chat=${first.chat}`)).body as { skills: object[] };
    expect(skills).toEqual([expect.objectContaining({ slug: 'brainstorming', state: 'never', layer: 'chat', usable: false })]);
    expect(lineOf((await say(modelId)).head, 'brainstorming')).toBe(true);
  });
});

describe('what is asked beforehand', () => {
  it('a preview has the very bytes of the next new chat, and counts them', async () => {
    const preview = (await send('GET', '/api/v1/catalog:preview')).body as { block: string; hash: string; tokens: { catalog: number }; lines: { full: number } };
    const { head, route } = await say(modelId);
    expect([catalogOf(head), route.catalogHash, route.tokens.catalog, route.catalogLines?.full]).toEqual([preview.block, preview.hash, preview.tokens.catalog, preview.lines.full]);
  });

  it('an explanation says each requirement, and what the load would open', async () => {
    const { skills } = (await send('GET', '/api/v1/explain?skill=briefing-memo')).body as { skills: { opens: { profiles: string[]; tools: string[] } }[] };
    expect(skills).toEqual([expect.objectContaining({ usable: true, requirements: expect.arrayContaining([{ kind: 'profile', need: 'docs', met: true }]), opens: expect.objectContaining({ loadable: true, profiles: ['docs'] }) })]);
    expect(skills[0]!.opens.tools).toContain('docs_write_text');
  });

  it('too much that is always on is said with the change, in the explanation and in the route', async () => {
    const all = (await send('GET', '/api/v1/explain')).body as { skills: { slug: string; usable: boolean }[] };
    const many = Object.fromEntries(all.skills.filter(({ usable }) => usable).slice(0, 12).map(({ slug }) => [slug, 'always']));
    const { warnings } = (await send('PATCH', '/api/v1/me/skills', many)).body as { warnings: string[] };
    expect(warnings).toEqual([expect.stringContaining('tokens into every turn')]);
    expect((await send('GET', '/api/v1/explain')).body).toMatchObject({ warnings });
    expect((await say(modelId)).route.warnings).toEqual(warnings);
    await send('PATCH', '/api/v1/me/skills', Object.fromEntries(Object.keys(many).map((slug) => [slug, null])));
    expect(((await send('GET', '/api/v1/explain')).body as { warnings: string[] }).warnings).toEqual([]);
  });
});
