import { toolPolicy, type ToolPolicy } from '@skillgate/contracts/approval';
import type { ToolEffect } from '@skillgate/contracts/words';
import { z } from 'zod';

/** What a profile says of its tools, by what they do. An effect that it does not name is allowed. */
export const effectPolicy = z.strictObject({ read: toolPolicy, write: toolPolicy, external: toolPolicy }).partial();
export type EffectPolicy = z.output<typeof effectPolicy>;

/** Whether tools of that effect run, run when their user said yes to the call, or do not open. */
export const policyFor = (profile: { readonly policy?: EffectPolicy } | undefined, effect: ToolEffect): ToolPolicy => profile?.policy?.[effect] ?? 'allow';
