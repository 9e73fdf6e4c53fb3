import { loadSkill as loadSkillCall, type LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { isRefusal } from '@skillgate/contracts/refusal';
import { acknowledgeLoad } from '@skillgate/prompt/acknowledge-load';
import type { RouteStep } from '@skillgate/contracts/route';
import type { Opened } from './held-tools.js';
import type { TurnContext } from './turn-context.js';

type LoadStep = Extract<RouteStep, { kind: 'load' }>;

/** How one `load_skill` ended: what the model reads of it, and the skill when its instructions are to follow. */
export interface Load {
  content: string;
  step: LoadStep;
  skill?: LoadedSkill;
}

/**
 * The gate. The catalog decides and signs, the registry opens; only when both said yes do instructions enter the
 * context. Either refusal is an answer that the model reads, never an error of the turn.
 */
export async function loadSkill(context: TurnContext, callId: string, slug: string): Promise<Load> {
  const active = context.loaded.find((skill) => skill.slug === slug);
  if (active) return alreadyActive(callId, active);
  context.publisher.progress({ stage: 'loading', skill: slug, message: `Loading ${slug}` });
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const skill = await context.wire.call(
      loadSkillCall,
      { ticket: context.ticket, slug, modelUsesTools: context.entry.usesTools },
      { signal: context.signal },
    );
    const opened = await context.held.open(skill);
    const ref = `${skill.slug}@${skill.version}`;
    context.publisher.progress({ stage: 'loaded', skill: ref, message: sentence(ref, opened) });
    const { version, digest, layer } = skill;
    const step: LoadStep = { ...emptyStep(callId, slug, ms()), version, digest, layer, ...named(opened), decision: 'loaded', reason: null };
    return { content: acknowledgeLoad({ skill: slug, version, ...(({ opened: tools, ...rest }) => ({ ...rest, tools }))(named(opened)) }), step, skill };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.publisher.progress({ stage: 'refused', skill: slug, message: error.message });
    return {
      content: JSON.stringify({ refused: error.slug, message: error.message }),
      step: { ...emptyStep(callId, slug, ms()), decision: 'refused', reason: error.slug },
    };
  }
}

function alreadyActive(callId: string, { slug, version, digest }: LoadedSkill): Load {
  const ref = `${slug}@${version}`;
  return {
    content: JSON.stringify({ already_active: ref, message: 'Its instructions are above and its tools are open. Go on with the task.' }),
    step: { ...emptyStep(callId, slug, 0), version, digest, decision: 'already-active', reason: null },
  };
}

const emptyStep = (callId: string, skill: string, ms: number): LoadStep => ({
  kind: 'load',
  ms,
  callId,
  skill,
  version: null,
  digest: null,
  layer: null,
  profiles: [],
  opened: [],
  withheld: [],
  decision: 'refused',
  reason: null,
});

const named = ({ profiles, tools, withheld }: Opened) => ({ profiles, opened: tools.map((tool) => tool.name), withheld });

const sentence = (ref: string, { profiles, tools }: Opened): string =>
  tools.length === 0 ? `Loaded ${ref}` : `Loaded ${ref}: ${profiles.join(', ')} opens ${tools.map((tool) => tool.name).join(', ')}`;
