import type { WithheldTool } from '@skillgate/contracts/calls/registry';
import type { ReceiptClaims } from '@skillgate/contracts/tokens';
import { lookInProfile, lookUpTool, type Found } from './look-up-tools.js';
import { fits, noRoom, type Room } from './tool-room.js';
import type { StandingFacts, StandingTool, Withholding } from './tool-standing.js';

/** What a skill asks for, as a receipt proves it or as somebody who wants to know names it. */
export type Asking = Pick<ReceiptClaims, 'skill' | 'version' | 'requires'>;

/** A tool with the receipt that opened it. */
export interface Opening<A extends Asking = ReceiptClaims> extends StandingTool {
  readonly receipt: A;
}

export interface Activation<A extends Asking = ReceiptClaims> {
  /** In activation order: receipts as given, profiles as the skill names them, tools as the profile does. */
  readonly openings: readonly Opening<A>[];
  readonly profiles: readonly { name: string; skill: string }[];
  readonly withheld: readonly WithheldTool[];
}

export interface ActivationFacts<A extends Asking = ReceiptClaims> extends StandingFacts {
  /** Present reasons why a loaded skill may no longer open anything. */
  readonly unmet: (receipt: A) => Withholding | undefined;
}

/** What the loaded skills open for this account now. Everything that they ask for and do not get is named. */
export function openTools<A extends Asking>(receipts: readonly A[], facts: ActivationFacts<A>): Activation<A> {
  const openings = new Map<string, Opening<A>>();
  const profiles = new Map<string, { name: string; skill: string }>();
  const withheld = new Map<string, WithheldTool>();
  let room: Room = { tools: 0, bytes: 0 };

  for (const receipt of receipts) {
    const unmet = facts.unmet(receipt);
    for (const want of wantsOf(receipt, facts)) {
      if (profiles.has(want.name)) continue;
      const found: Found = unmet ? { tools: [], withheld: [{ name: want.name, ...unmet }] } : want.look();
      const fresh = found.tools.filter(({ tool }) => !openings.has(tool.tool));
      const roomAfter = fits(room, fresh.map(({ tool }) => tool));
      const refused = roomAfter ? found.withheld : [{ name: want.name, ...noRoom }];
      for (const one of refused) if (!withheld.has(one.name)) withheld.set(one.name, one);
      if (!roomAfter || found.tools.length === 0) continue;

      room = roomAfter;
      for (const one of fresh) openings.set(one.tool.tool, { ...one, receipt });
      if (want.isProfile) profiles.set(want.name, { name: want.name, skill: `${receipt.skill}@${receipt.version}` });
    }
  }
  return { openings: [...openings.values()], profiles: [...profiles.values()], withheld: [...withheld.values()] };
}

interface Want {
  readonly name: string;
  readonly isProfile: boolean;
  readonly look: () => Found;
}

/** The skill's profiles whole; a tool that it names beside them opens alone. */
function wantsOf({ requires }: Asking, facts: StandingFacts): Want[] {
  const profiles = requires.profiles.map((name) => ({ name, isProfile: true, look: () => lookInProfile(name, facts) }));
  const alone = requires.tools.flatMap((tool) => {
    const profile = facts.served.approved(tool)?.profile ?? facts.profiles.homeOf(tool);
    if (profile && requires.profiles.includes(profile)) return [];
    const name = profile ? `${profile}/${tool}` : tool;
    return [{ name, isProfile: false, look: () => lookUpTool(tool, name, profile, facts) }];
  });
  return [...profiles, ...alone];
}
