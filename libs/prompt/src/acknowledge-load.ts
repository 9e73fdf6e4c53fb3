import type { WithheldTool } from '@skillgate/contracts/calls/registry';

/**
 * What `load_skill` answers: short, since the instructions travel on their own. Says which tools may be called now and what was
 * withheld and why, so that the model does not go looking for what the instructions mention.
 */
export function acknowledgeLoad(load: {
  readonly skill: string;
  readonly version: string;
  readonly profiles: readonly string[];
  readonly tools: readonly string[];
  readonly withheld: readonly WithheldTool[];
}): string {
  const { skill, version, profiles, tools, withheld } = load;
  return JSON.stringify({
    loaded: `${skill}@${version}`,
    profiles,
    tools,
    ...(withheld.length > 0 && { withheld: withheld.map(({ name, message }) => ({ name, message })) }),
    next: 'Its instructions follow; work by them.',
  });
}
