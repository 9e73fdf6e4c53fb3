import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { type HeldGrant, type OpenedTool, resolveTools, type WithheldTool } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { askedFor } from './asked-for.js';
import { withSkillFiles } from './skill-file-tool.js';

type Resolved = CallOutput<typeof resolveTools>;

/** A grant this close to its end is renewed before the next call, in milliseconds; of a short one the last sixth. */
const renewBeforeMs = 10_000;
const renewShare = 6;

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
  private skills: readonly LoadedSkill[] = [];
  private grants = new Map<string, HeldGrant & { renewAt: number }>();
  private opened = new Map<string, OpenedTool>();
  /** What the registry still opens; the model may have seen more. */
  private granted = new Set<string>();
  private renewing: Promise<void> | undefined;
  /** Policy epoch on which the registry decided last. */
  private decided = 0;
  /** The newest one that an executor told of. */
  private demanded = 0;
  withheld: WithheldTool[] = [];

  /** @param heard the newest policy epoch of the turn's account that this instance has heard of */
  constructor(
    private readonly wire: Pick<Wire, 'call'>,
    private readonly ticket: string,
    private readonly signal: AbortSignal,
    private readonly heard: () => number = () => 0,
    /** The tools of executors that need no skill, too. */
    private readonly base = false,
  ) {}

  /** The newest policy epoch of the account that this turn knows of; 0 while it knows of none but its ticket's. */
  get newestEpoch(): number {
    return Math.max(this.heard(), this.demanded, this.decided);
  }

  get tools(): OpenedTool[] {
    return [...this.opened.values()];
  }

  tool(name: string): OpenedTool | undefined {
    return this.opened.get(name);
  }

  /** Those that may be called now. */
  get grantedTools(): OpenedTool[] {
    return this.tools.filter((tool) => this.granted.has(tool.name));
  }

  /** Those of `skill` that may be called now. */
  toolsOf(skill: LoadedSkill): OpenedTool[] {
    const asked = askedFor(skill);
    return this.grantedTools.filter((tool) => asked.tool(tool));
  }

  /**
   * At the start of a turn, and when rights have changed in it: what `always` skills and the chat's loaded skills open, and
   * nothing else. The model goes on seeing what it saw.
   *
   * @returns the policy epoch that the registry decided on; undefined when there was nothing to ask
   */
  async openAll(skills: readonly LoadedSkill[]): Promise<number | undefined> {
    if (skills.length === 0) return this.close();
    const receipts = skills.map((skill) => skill.receipt);
    const answer = await this.resolve(receipts);
    this.take(answer, receipts, skills);
    return answer.policyEpoch;
  }

  /** What no skill has to open; see `tool` and `withheld`. */
  async openBase(): Promise<void> {
    this.take(await this.resolve([]), []);
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
    this.take(answer, receipts, [...this.skills, skill]);
    return { profiles, tools, withheld };
  }

  /** Nothing is granted until a skill is opened again. */
  private close(): undefined {
    this.receipts = [];
    this.skills = [];
    this.granted.clear();
    this.grants.clear();
    this.withheld = [];
  }

  /** A grant for the tool that is neither outdated nor will end under the call; undefined when the registry gives none any more. */
  async grantFor({ name, executor }: Pick<OpenedTool, 'name' | 'executor'>): Promise<HeldGrant | undefined> {
    if (!this.isFresh(this.grants.get(executor))) await this.renew();
    return this.granted.has(name) ? this.grants.get(executor) : undefined;
  }

  /** Another grant, after an executor refused `grant` as too old. @param epoch the newer one that it knows of */
  async grantAfter(tool: Pick<OpenedTool, 'name' | 'executor'>, grant: HeldGrant, epoch = 0): Promise<HeldGrant | undefined> {
    this.demanded = Math.max(this.demanded, epoch);
    if (this.grants.get(tool.executor)?.id === grant.id) this.grants.delete(tool.executor);
    return this.grantFor(tool);
  }

  private isFresh(grant: (HeldGrant & { renewAt: number }) | undefined): boolean {
    return grant !== undefined && Date.now() < grant.renewAt && this.decided >= this.newestEpoch;
  }

  /** Calls that run side by side find the same grants too old: one renewal serves them all, unless it began before the news. */
  private async renew(): Promise<void> {
    const joined = this.renewing;
    await (joined ?? this.renewOnce());
    if (joined && this.decided < this.newestEpoch) await this.renew();
  }

  private renewOnce(): Promise<void> {
    const { receipts } = this;
    this.renewing = this.resolve(receipts)
      .then((answer) => this.take(answer, receipts))
      .finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private resolve(receipts: string[]): Promise<Resolved> {
    const epoch = this.newestEpoch;
    const minEpoch = epoch > 0 ? { minEpoch: epoch } : {};
    return this.wire.call(resolveTools, { ticket: this.ticket, receipts, ...(this.base ? { base: true } : {}), ...minEpoch }, { signal: this.signal });
  }

  private take(answer: Resolved, receipts: string[], skills: readonly LoadedSkill[] = this.skills): void {
    this.receipts = receipts;
    this.skills = [...skills];
    const tools = withSkillFiles(answer.tools, skills);
    // What the model saw stays; whether a call needs its user's yes is as the registry says now.
    for (const tool of tools) {
      const { policy, offer } = tool;
      this.opened.set(tool.name, { ...(this.opened.get(tool.name) ?? tool), policy, offer });
    }
    this.granted = new Set(tools.map((tool) => tool.name));
    const now = Date.now();
    const renewAt = ({ expiresAt }: HeldGrant) => expiresAt - Math.min(renewBeforeMs, (expiresAt - now) / renewShare);
    this.grants = new Map(answer.grants.map((grant) => [grant.executor, { ...grant, renewAt: renewAt(grant) }]));
    this.withheld = answer.withheld;
    this.decided = answer.policyEpoch;
  }
}
