import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { getPersona } from '@skillgate/contracts/calls/personas';
import { previewEntries } from '@skillgate/contracts/calls/catalog';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { loadModels } from '@skillgate/prompt/models';
import { countTokens } from '@skillgate/prompt/count-tokens';
import { beginEpoch } from './begin-epoch.js';
import { preview } from './preview-catalog.js';
import { entryOf } from './spec-support/facts.js';
import type { ChatState } from './turn-records.js';

const ref = { id: randomUUID(), slug: 'editor', revision: 3 };
const persona = { ...ref, name: 'Editor', instructions: 'Be brief.', model: null, skills: {}, integrations: null };
const entries = (...slugs: string[]) => slugs.map((slug) => entryOf(slug));
const always = { skills: [] as string[], tokens: 0, budget: 4_000 };

function ask({ listed = entries('memo', 'agenda'), chat, as, tools = true, budget = 6_000 }: { listed?: ReturnType<typeof entries>; chat?: ChatState; as?: typeof ref; tools?: boolean; budget?: number }) {
  const wire = {
    call: async (call: unknown) =>
      call === previewEntries
        ? { toolsAllowed: tools, entries: listed, always, warnings: ['Too much.'], policyEpoch: 1 }
        : call === getPersona
          ? { ...persona, createdAt: '', retiredAt: null, policyEpoch: 1 }
          : undefined,
  };
  const parts = { wire, models: loadModels('models: []'), config: { SKILLGATE_MODEL: 'm', SKILLGATE_CATALOG_TOKENS: budget } } as unknown as Parameters<typeof preview>[0];
  const claims = { account: randomUUID(), user: randomUUID(), ...(chat && { chat: randomUUID() }), ...(as && { persona: as }) } as TicketClaims;
  return preview(parts, { state: async () => chat! }, { token: 't', claims });
}
const chatAfter = (slugs: string[], as?: typeof persona): ChatState => ({
  ...{ prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, history: [] },
  ...beginEpoch(
    { prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, history: [] },
    { toolsAllowed: true, entries: entries(...slugs), always: [], loaded: [], persona: as ?? null },
  ).prefix,
});

describe('a preview of the catalog', () => {
  it('is the very block that a turn freezes, with its tokens', async () => {
    const answer = await ask({});
    const { prefix, prefixHash } = beginEpoch(chatAfter([]), { toolsAllowed: true, entries: entries('memo', 'agenda'), always: [], loaded: [] }).prefix;
    const turn = chatAfter(['memo', 'agenda']);
    expect(turn.prefix!.endsWith(answer.block)).toBe(true);
    expect(answer).toMatchObject({ hash: turn.prefixHash, frozen: false, notice: null, lines: { full: 2, shortened: 0, grouped: 0 }, warnings: ['Too much.'] });
    expect(answer.tokens).toEqual({ base: countTokens(turn.prefix!.slice(0, -answer.block.length - 2)), catalog: countTokens(answer.block), notice: 0, always: 0 });
    expect([prefix === turn.prefix, prefixHash === answer.hash]).toEqual([false, false]); // a frozen one stays as it was
  });

  it('of a chat is its frozen block, and what would be told because that says otherwise', async () => {
    const chat = chatAfter(['memo', 'agenda']);
    const answer = await ask({ chat, listed: entries('memo', 'letter') });
    expect(answer).toMatchObject({ frozen: true, hash: chat.prefixHash });
    expect(answer.block).toContain('- agenda:');
    expect(answer.notice).toContain('- letter:');
    expect(answer.tokens.notice).toBeGreaterThan(0);
  });

  it('counts what a budget shortened and left out', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ ...entryOf(`skill-${n}`), description: 'A long description of what it does, with many words and commas. '.repeat(4) }));
    const { lines, tokens, budget } = await ask({ listed: many, budget: 800 });
    expect(lines.full + lines.shortened + lines.grouped).toBe(60);
    expect([lines.grouped > 0, tokens.catalog <= budget]).toEqual([true, true]);
  });

  it('has the words of a persona at its head, and begins a new epoch of a chat that had none', async () => {
    const answer = await ask({ chat: chatAfter(['memo', 'agenda']), as: ref });
    expect(answer).toMatchObject({ persona: ref, frozen: false, notice: expect.stringContaining('"editor"') });
    expect(answer.tokens.base).toBeGreaterThan((await ask({})).tokens.base);
  });

  it('without tools is empty', async () => {
    expect(await ask({ tools: false })).toMatchObject({ block: '', tokens: { catalog: 0 }, lines: { full: 0, shortened: 0, grouped: 0 } });
  });
});
