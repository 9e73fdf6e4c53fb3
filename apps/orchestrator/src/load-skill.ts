import { loadSkill as loadSkillCall, type LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { isRefusal } from '@skillgate/contracts/refusal';
import type { RouteStep } from '@skillgate/contracts/route';
import { acknowledgeLoad } from '@skillgate/prompt/acknowledge-load';
import { latestOf, pinOf } from './entering-skills.js';
import { explainFailure } from './explain-failure.js';
import type { TurnContext } from './turn-context.js';

type LoadStep = Extract<RouteStep, { kind: 'load' }>;

/** How one `load_skill` ended: what the model reads of it, and the skill when its instructions are to follow. */
export interface Load {
  content: string;
  step: LoadStep;
  skill?: LoadedSkill;
}

const longestSlug = 200; // as the catalog takes it

/**
 * The gate. The catalog decides and signs, the registry opens; only when both said yes do instructions enter the context. Any no,
 * an outage included, is an answer that the model reads, never an error of the turn.
 */
export async function loadSkill(context: TurnContext, callId: string, slug: unknown): Promise<Load> {
  const { publisher, wire, held, ticket, entry, signal } = context;
  if (typeof slug !== 'string' || slug === '' || slug.length > longestSlug) return unusable(callId, slug);
  const active = context.loaded.find((skill) => skill.slug === slug);
  if (active) return alreadyActive(context, callId, active);
  publisher.progress({ stage: 'loading', skill: slug, message: `Loading ${slug}` });
  const started = performance.now();
  const step = (rest: Partial<LoadStep>): LoadStep => ({ ...emptyStep(callId, slug), ms: Math.round(performance.now() - started), ...rest });
  try {
    const minEpoch = held.newestEpoch > 0 ? { minEpoch: held.newestEpoch } : {};
    const shown = latestOf(context.journal.visible).get(slug);
    const skill = await wire.call(loadSkillCall, { ticket, slug, modelUsesTools: entry.usesTools, ...(shown && { shown: pinOf(shown) }), ...minEpoch }, { signal });
    const { profiles, tools, withheld } = await held.open(skill);
    const { version, digest, layer } = skill;
    const opened = tools.map((tool) => tool.name);
    const ref = `${slug}@${version}`;
    const message = opened.length === 0 ? `Loaded ${ref}` : `Loaded ${ref}: ${profiles.join(', ')} opens ${opened.join(', ')}`;
    publisher.progress({ stage: 'loaded', skill: ref, message });
    return {
      content: acknowledgeLoad({ skill: slug, version, profiles, tools: opened, withheld }),
      step: step({ version, digest, layer, profiles, opened, withheld, decision: 'loaded' }),
      skill,
    };
  } catch (error) {
    const told = explainFailure(context, error);
    publisher.progress({ stage: 'refused', skill: slug, message: told.message });
    const content = JSON.stringify({ [isRefusal(error) ? 'refused' : 'error']: forModel(told.slug), message: told.message });
    return { content, step: step({ reason: told.slug }) };
  }
}

/** A model that guesses at names must not learn which hidden skills exist; the route keeps the true reason. */
const forModel = (slug: string): string => (slug === 'skill-hidden' ? 'unknown-skill' : slug);

function alreadyActive({ held }: TurnContext, callId: string, skill: LoadedSkill): Load {
  const { slug, version, digest } = skill;
  const tools = held.toolsOf(skill).map((tool) => tool.name);
  const message = 'Its instructions are above. Go on with the task, with the tools listed here.';
  return {
    content: JSON.stringify({ already_active: `${slug}@${version}`, tools, message }),
    step: { ...emptyStep(callId, slug), version, digest, decision: 'already-active' },
  };
}

function unusable(callId: string, slug: unknown): Load {
  const message = 'load_skill needs "slug": the name at the beginning of a line of <available_skills>, as text.';
  const named = typeof slug === 'string' ? slug.slice(0, longestSlug) : '';
  return { content: JSON.stringify({ refused: 'invalid-arguments', message }), step: { ...emptyStep(callId, named), reason: 'invalid-arguments' } };
}

const emptyStep = (callId: string, skill: string): LoadStep => ({
  kind: 'load',
  ms: 0,
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
