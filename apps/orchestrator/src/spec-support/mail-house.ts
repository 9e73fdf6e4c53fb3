import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import type { HistoryItem } from '@skillgate/prompt/history';
import { z } from 'zod';
import { type DurableHouse, newWho, startDurableHouse, type Who } from './durable-house.js';

const shape = { profile: 'docs', timeoutMs: 20_000, description: 'For these tests.', input: z.strictObject({ what: z.string() }) };

/** A durable house whose executor sends mail, for one test after the other. Call it once, where the file begins. */
export function mailHouse() {
  const state = {
    house: undefined as unknown as DurableHouse,
    /** Of the test that runs. */
    who: newWho() as Who,
    /** What the executor did, in order. */
    effects: [] as string[],
    whileSending: async (_what: string): Promise<void> => undefined,
    history: async (): Promise<HistoryItem[]> => {
      const { account, chat } = state.who;
      const rows = await state.house.world.sql<{ item: HistoryItem }>(account, 'SELECT item FROM chat_items WHERE chat = $1 ORDER BY seq', [chat]);
      return rows.map(({ item }) => item);
    },
    /** An instance that begins the turn and stands still when `moment` comes, and one that takes it over. */
    async twoInstances(moment: Promise<void>) {
      const { house, who } = state;
      const [first, second] = [await house.instance(), await house.instance()];
      const heard = await house.follow(who);
      await first.ask(who);
      await moment;
      first.freeze();
      await house.world.lapse(who);
      second.takesOver();
      return { first, second, heard };
    },
  };
  const mail = defineExecutor({
    name: 'mail',
    version: '1.0.0',
    tools: [
      defineTool({
        ...shape,
        name: 'mail_send',
        effect: 'external',
        async execute({ what }, { signal }) {
          state.effects.push(what);
          await state.whileSending(what);
          return { sent: what, stopped: signal.aborted };
        },
      }),
      defineTool({ ...shape, name: 'mail_read', effect: 'read', execute: async ({ what }) => ({ read: what }) }),
    ],
  });
  beforeAll(async () => {
    state.house = await startDurableHouse(mail);
  }, 60_000);
  afterAll(() => state.house?.stop(), 30_000);
  beforeEach(() => {
    Object.assign(state, { who: newWho(), effects: [], whileSending: async () => undefined });
    Object.assign(state.house, { grantMs: 60_000, beforeGrant: async () => undefined, confirm: new Set() });
  });
  afterEach(() => state.house.model.assertConsumed());
  return state;
}

export const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };
export const send = (what: string) => ({ toolCalls: [{ name: 'mail_send', arguments: { what } }] });
export const read = { toolCalls: [{ name: 'mail_read', arguments: { what: 'inbox' } }] };
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
