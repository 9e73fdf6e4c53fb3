import type { HeldGrant, OpenedTool } from '@skillgate/contracts/calls/registry';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import type { HeldTools } from './held-tools.js';

const tooOldSlugs: ReadonlySet<string> = new Set(['grant-outdated', 'grant-expired']);

/** Did the executor refuse the grant for its age alone? Then the call has not run, and may come again under a newer one. */
export const isGrantTooOld = (error: unknown): boolean => isRefusal(error) && tooOldSlugs.has(error.slug);

/**
 * Calls under a grant. One that its executor calls too old is renewed once, on facts at least as new as the executor's.
 *
 * @param call runs with the same call id both times
 * @throws refusal `not-granted` with the reason of the registry, what the registry refuses, and what `call` throws
 */
export async function callUnderGrant<T>(held: HeldTools, tool: OpenedTool, call: (grant: HeldGrant) => Promise<T>): Promise<T> {
  const grant = (await held.grantFor(tool)) ?? notGranted(held, tool);
  try {
    return await call(grant);
  } catch (error) {
    if (!isRefusal(error) || !isGrantTooOld(error)) throw error;
    const epoch = error.details?.policyEpoch;
    const newer = await held.grantAfter(tool, grant, typeof epoch === 'number' ? epoch : undefined);
    return call(newer ?? notGranted(held, tool));
  }
}

function notGranted(held: HeldTools, tool: OpenedTool): never {
  throw refuse('not-granted', `${tool.name} is not granted any more: ${whyWithheld(held, tool)}`);
}

/** The registry's reason, by the name of the tool, of its profile or of both. */
export const whyWithheld = ({ withheld }: Pick<HeldTools, 'withheld'>, { name, profile }: Pick<OpenedTool, 'name' | 'profile'>): string =>
  withheld.find((one) => [name, profile, `${profile}/${name}`].includes(one.name))?.message ?? 'the account may no longer use it.';
