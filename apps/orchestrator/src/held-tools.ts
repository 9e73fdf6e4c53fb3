import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { type HeldGrant, type OpenedTool, resolveTools, type WithheldTool } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { askedFor } from './asked-for.js';

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
  /** What the registry still opens; the model may have seen more. */
  private granted = new Set<string>();
  private renewing: Promise<void> | undefined;
  withheld: WithheldTool[] = [];

  constructor(
    private readonly wire: Pick<Wire, 'call'>,
    private readonly ticket: string,
    private readonly signal: AbortSignal,
  ) {}

  get tools(): OpenedTool[] {
    return [...this.opened.values()];
  }

  tool(name: string): OpenedTool | undefined {
    return this.opened.get(name);
  }

  /** Those of `skill` that may be called now. */
  toolsOf(skill: LoadedSkill): OpenedTool[] {
    const asked = askedFor(skill);
    return this.tools.filter((tool) => this.granted.has(tool.name) && asked.tool(tool));
  }

  /**
   * At the start of a turn: what `always` skills and the chat's loaded skills open.
   *
   * @returns the policy epoch that the registry decided on; undefined when there was nothing to ask
   */
  async openAll(skills: readonly LoadedSkill[]): Promise<number | undefined> {
    if (skills.length === 0) return undefined;
    const receipts = skills.map((skill) => skill.receipt);
    const answer = await this.resolve(receipts);
    this.take(answer, receipts);
    return answer.policyEpoch;
  }

  /**
   * Opens what one more skill requires, all or nothing.
   *
   * @throws refusal `nothing-opened` when the skill needs tools and none can open; then nothing has changed
   */
  async open(skill: LoadedSkill): Promise<Opened> {
    const asked = askedFor(skill);
    const receipts = [...this.receipts, skill.receipt];
    const answer = await this.resolve(receipts);
    const profiles = answer.profiles.map((profile) => profile.name).filter((name) => asked.profile(name));
    const tools = answer.tools.filter((tool) => asked.tool(tool));
    const withheld = answer.withheld.filter((one) => asked.withheld(one));
    if (asked.anything && tools.length === 0) {
      const reasons = withheld.map(({ name, message }) => `${name}: ${message}`).join(' ');
      throw refuse('nothing-opened', `"${skill.slug}" needs tools and none of them can open now. ${reasons}`.trim(), { withheld });
    }
    this.take(answer, receipts);
    return { profiles, tools, withheld };
  }

  /** A grant for the tool that will not end under the call; undefined when the registry gives none any more. */
  async grantFor({ name, executor }: Pick<OpenedTool, 'name' | 'executor'>): Promise<HeldGrant | undefined> {
    if (!this.isFresh(this.grants.get(executor))) await this.renew();
    return this.granted.has(name) ? this.grants.get(executor) : undefined;
  }

  private isFresh(grant: HeldGrant | undefined): boolean {
    return grant !== undefined && grant.expiresAt - Date.now() > renewBeforeMs;
  }

  /** Calls that run side by side find the same grants too old: one renewal serves them all. */
  private renew(): Promise<void> {
    const { receipts } = this;
    this.renewing ??= this.resolve(receipts)
      .then((answer) => this.take(answer, receipts))
      .finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private resolve(receipts: string[]): Promise<Resolved> {
    return this.wire.call(resolveTools, { ticket: this.ticket, receipts }, { signal: this.signal });
  }

  private take(answer: Resolved, receipts: string[]): void {
    this.receipts = receipts;
    for (const tool of answer.tools) if (!this.opened.has(tool.name)) this.opened.set(tool.name, tool);
    this.granted = new Set(answer.tools.map((tool) => tool.name));
    this.grants = new Map(answer.grants.map((grant) => [grant.executor, grant]));
    this.withheld = answer.withheld;
  }
}
