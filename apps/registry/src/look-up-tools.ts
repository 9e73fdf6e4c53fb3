import type { WithheldTool } from '@skillgate/contracts/calls/registry';
import { toolStanding, type StandingFacts, type StandingTool } from './tool-standing.js';
import { goOnWithout } from './without-it.js';

export interface Found {
  readonly tools: readonly StandingTool[];
  readonly withheld: readonly WithheldTool[];
}

/** The tools of a profile in its own order, those that only an approval put there behind them by name. */
export function lookInProfile(name: string, facts: StandingFacts): Found {
  const profile = facts.profiles.get(name);
  if (!profile) return nothing(name, 'unknown-profile', `There is no profile "${name}" in this installation.`);

  const joined = facts.served.approvedIn(name).filter((tool) => !profile.tools.includes(tool));
  const found = [...profile.tools, ...joined].map((tool) => lookUpTool(tool, `${name}/${tool}`, name, facts));
  const tools = found.flatMap((one) => one.tools);
  const withheld = found.flatMap((one) => one.withheld);
  return { tools, withheld: tools.length === 0 ? gather(name, withheld) : withheld };
}

/** @param label how the tool is called when it is withheld */
export function lookUpTool(tool: string, label: string, profileName: string | undefined, facts: StandingFacts): Found {
  const profile = profileName === undefined ? undefined : facts.profiles.get(profileName);
  if (!profile) return nothing(label, 'unserved', goOnWithout('No executor of this installation serves it'));
  const standing = toolStanding(tool, profile, facts);
  return 'tool' in standing ? { tools: [standing], withheld: [] } : { tools: [], withheld: [{ name: label, ...standing.withheld }] };
}

const nothing = (name: string, slug: string, message: string): Found => ({ tools: [], withheld: [{ name, slug, message }] });

/** A profile that stays shut for one reason says so once and not once a tool: the model reads every line. */
function gather(profile: string, withheld: WithheldTool[]): WithheldTool[] {
  const [first] = withheld;
  if (!first || withheld.some((one) => one.slug !== first.slug)) return withheld;
  return [{ ...first, name: profile, message: [...new Set(withheld.map((one) => one.message))].join(' ') }];
}
