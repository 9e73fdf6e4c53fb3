import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { type HeldGrant, type OpenedTool, resolveTools, type WithheldTool } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { profilesOf } from './profiles-of.js';
import type { Wire } from '@skillgate/wire/wire';

type Resolved = CallOutput<typeof resolveTools>;

/** A grant this close to its end is renewed before the next call, in milliseconds. */
const renewBeforeMs = 10_000;

/** What one load opened. */
export interface Opened {
  profiles: string[];
  tools: OpenedTool[];
  withheld: WithheldTool[];
}

/**
 * The tools that this turn may call and the grants to show for them. Receipts go to the registry, which alone decides;
 * tools stay in the order in which they were opened, so that what the model saw never moves.
 */
export class HeldTools {
  private receipts: string[] = [];
  private grants = new Map<string, HeldGrant>();
  private opened = new Map<string, OpenedTool>();
  withheld: WithheldTool[] = [];

  constructor(
    private readonly wire: Wire,
    private readonly ticket: string,
    private readonly signal: AbortSignal,
  ) {}

  get tools(): OpenedTool[] {
    return [...this.opened.values()];
  }

  tool(name: string): OpenedTool | undefined {
    return this.opened.get(name);
  }

  /** At the start of a turn: what `always` skills and the chat's loaded skills open. */
  async openAll(skills: readonly LoadedSkill[]): Promise<void> {
    if (skills.length === 0) return;
    const receipts = skills.map((skill) => skill.receipt);
    this.take(await this.resolve(receipts), receipts);
  }

  /**
   * Opens what one more skill requires, all or nothing.
   *
   * @throws refusal `nothing-opened` when the skill needs tools and none can open; then nothing has changed
   */
  async open(skill: LoadedSkill): Promise<Opened> {
    const receipts = [...this.receipts, skill.receipt];
    const answer = await this.resolve(receipts);
    const needed = new Set(profilesOf(skill));
    const profiles = answer.profiles.map((profile) => profile.name).filter((name) => needed.has(name));
    const tools = answer.tools.filter((tool) => needed.has(tool.profile));
    const withheld = answer.withheld.filter(({ name }) => needed.has(name.split('/')[0] ?? name));
    if (needed.size > 0 && tools.length === 0) {
      const reasons = withheld.map(({ name, message }) => `${name}: ${message}`).join(' ');
      throw refuse('nothing-opened', `"${skill.slug}" needs tools and none of them can open now. ${reasons}`.trim(), { withheld });
    }
    this.take(answer, receipts);
    return { profiles, tools, withheld };
  }

  /** A fresh grant for an executor; undefined when the registry gives none any more. */
  async grantFor(executor: string): Promise<HeldGrant | undefined> {
    const held = this.grants.get(executor);
    if (held && held.expiresAt - Date.now() > renewBeforeMs) return held;
    this.take(await this.resolve(this.receipts), this.receipts);
    return this.grants.get(executor);
  }

  private resolve(receipts: string[]): Promise<Resolved> {
    return this.wire.call(resolveTools, { ticket: this.ticket, receipts }, { signal: this.signal });
  }

  private take(answer: Resolved, receipts: string[]): void {
    this.receipts = receipts;
    for (const tool of answer.tools) if (!this.opened.has(tool.name)) this.opened.set(tool.name, tool);
    this.grants = new Map(answer.grants.map((grant) => [grant.executor, grant]));
    this.withheld = answer.withheld;
  }
}
