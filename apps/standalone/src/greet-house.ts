import { escapeUnseen } from '@skillgate/contracts/plain-text';
import { z } from 'zod';
import type { HouseSecrets } from './house-secrets.js';

/** Tiers that get a demonstration account. */
export const demoTiers = ['free', 'pro'] as const;

export interface HouseKeys {
  free: string;
  pro: string;
  operator: string;
}

const account = z.object({ id: z.string() });
const key = z.object({ secret: z.string() });
const manifests = z.object({
  executors: z.array(
    z.object({
      executor: z.string(),
      instances: z.number(),
      tools: z.array(
        z.object({
          ...{ name: z.string(), profile: z.string(), effect: z.string(), schemaDigest: z.string(), state: z.string() },
          ...{ reason: z.string().optional(), tokens: z.number().optional(), notes: z.array(z.string()).optional() },
          changes: z.array(z.object({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() })).optional(),
        }),
      ),
      refused: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
      approvals: z.array(z.object({ name: z.string(), schemaDigest: z.string() })).optional(),
      leftOut: z.number().optional(),
    }),
  ),
});
type Executors = z.infer<typeof manifests>['executors'];
type Announced = Executors[number]['tools'][number];

const approval = z.object({ renamed: z.array(z.object({ name: z.string(), shownAs: z.string() })).optional() });

/** Milliseconds until every service must answer and every executor have announced itself. */
const announceMs = 60_000;
/** Milliseconds between two looks at what guests announce. */
const lookMs = 1_000;

/**
 * What an operator does with a new house, through the public API alone: an account and a key for each tier, and a look
 * at what the executors propose.
 */
export class HouseOperator {
  private readonly told = new Set<string>();
  /** What stood approved while this house ran, by executor, name and digest: whatever is not so any more was withdrawn by somebody. */
  private readonly stood = new Set<string>();

  constructor(
    private readonly url: string,
    private readonly secrets: HouseSecrets,
    private readonly print: (line: string) => void,
  ) {}

  /** Much of a line is an executor's own words: none of them may write lines of its own into the terminal. */
  private tell(line: string): void {
    this.print(escapeUnseen(line));
  }

  /** Keys of the demonstration accounts; those of an earlier start while they still open. */
  async keys(): Promise<HouseKeys> {
    const keys = this.secrets.accountKeys;
    for (const tier of demoTiers) {
      const known = keys[tier];
      if (known && (await this.opens(known))) continue;
      const { id } = account.parse(await this.ask('POST', '/api/v1/accounts', { name: `demo ${tier}`, tier }));
      keys[tier] = key.parse(await this.ask('POST', `/api/v1/accounts/${id}/keys`, { name: 'demo', roles: ['user', 'admin'] })).secret;
      this.tell(`made an account of tier ${tier}`);
    }
    return { free: keys.free ?? '', pro: keys.pro ?? '', operator: this.secrets.operatorKey };
  }

  /** Approves what the executors of this checkout announce, naming each tool: on this machine the operator is whoever starts it. */
  async approve(expected: readonly string[]): Promise<void> {
    for (const executor of await this.announced(expected)) await this.approveOne(executor);
  }

  /** The same for executors that come when they like, until it is closed: somebody who writes one changes it often. */
  welcome(guests: readonly string[]): { close(): void } {
    let looking = false;
    const look = async (): Promise<void> => {
      if (looking) return;
      looking = true;
      try {
        for (const guest of guests) {
          // One by one: what one announces takes no room in the answer of another.
          const { executors } = manifests.parse(await this.ask('GET', `/api/v1/manifests?executor=${guest}`));
          for (const executor of executors) if (executor.instances > 0) await this.approveOne(executor);
        }
      } catch (error) {
        this.tellOnce(`the manifests could not be looked at: ${(error as Error).message}`);
      } finally {
        looking = false;
      }
    };
    const timer = setInterval(() => void look(), lookMs);
    timer.unref();
    return { close: () => clearInterval(timer) };
  }

  private async approveOne({ executor, tools, refused = [], approvals = [], leftOut }: Executors[number]): Promise<void> {
    if (leftOut) this.tellOnce(`${executor}: ${leftOut} of what it announces had no room in the answer; bin/skillgate tools --executor ${executor} has more`);
    const keyOf = ({ name, schemaDigest }: Pick<Announced, 'name' | 'schemaDigest'>): string => `${executor}/${name}/${schemaDigest}`;
    for (const one of approvals) this.stood.add(keyOf(one));
    const waiting = tools.filter(({ state }) => state === 'proposed' || state === 'changed');
    const open = waiting.filter((tool) => !this.stood.has(keyOf(tool)));
    for (const tool of waiting) if (!open.includes(tool)) this.tellOnce(`${executor}: the approval of ${tool.name} was withdrawn and is not given again; approve it yourself, or start anew`);
    for (const { name, reason } of tools.filter(({ state }) => state === 'quarantined')) this.tellOnce(`${executor}: ${name} is quarantined: ${reason}`);
    for (const { name, reason } of refused) this.tellOnce(`${executor}: ${name} is no manifest: ${reason}`);
    if (open.length === 0) return;
    const wanted = { tools: open.map(({ name, schemaDigest }) => ({ name, schemaDigest })) };
    const { renamed = [] } = approval.parse(await this.ask('POST', `/api/v1/manifests/${executor}/approve`, wanted));
    for (const tool of open) this.stood.add(keyOf(tool));
    for (const tool of open) this.show(executor, tool, renamed.find(({ name }) => name === tool.name)?.shownAs);
  }

  private tellOnce(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.tell(line);
  }

  private show(executor: string, { name, profile, effect, state, tokens, changes = [], notes = [] }: Announced, shownAs?: string): void {
    const facts = [profile, effect, ...(tokens === undefined ? [] : [`${tokens} tokens`]), ...(state === 'changed' ? ['changed'] : []), ...(shownAs ? [`models know it as ${shownAs}`] : [])];
    this.tell(`approved ${executor}: ${name} (${facts.join(', ')})`);
    for (const { what, before, after } of changes) this.tell(`  ${what}: ${before ?? 'nothing'} -> ${after ?? 'nothing'}`);
    // What is said to one family of models in another way is for whoever looks at the manifest.
    for (const note of notes) if (!note.startsWith('for ')) this.tell(`  ${note}`);
  }

  private async announced(expected: readonly string[]): Promise<Executors> {
    const deadline = Date.now() + announceMs;
    for (;;) {
      const { executors } = manifests.parse(await this.ask('GET', '/api/v1/manifests'));
      const here = executors.filter(({ instances }) => instances > 0);
      const missing = expected.filter((name) => !here.some(({ executor }) => executor === name));
      if (missing.length === 0) return here;
      if (Date.now() > deadline) throw new Error(`no announcement of executor ${missing.join(', ')} within ${announceMs / 1000} s; its log says why`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  private async opens(secret: string): Promise<boolean> {
    const answer = await fetch(`${this.url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    await answer.arrayBuffer();
    return answer.ok;
  }

  /** A house that has just started may not be complete yet: 503 means to ask again. */
  private async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    for (const deadline = Date.now() + announceMs; ; ) {
      const answer = await this.send(method, path, body);
      if (answer.ok) return answer.json();
      const said = await answer.text();
      if (answer.status !== 503 || Date.now() > deadline) throw new Error(`${method} ${path} answered ${answer.status}: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  private send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.secrets.operatorKey}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
}
