import type { SkillDecision } from '@skillgate/contracts/calls/catalog';

/**
 * Where a decided skill goes: into the catalog that the model reads (`listed`, and only then loadable), into the turn
 * without being asked for (`injected`), or nowhere (`withheld`). Listing and loading read the same word, so they cannot differ.
 */
export type Standing = 'listed' | 'injected' | 'withheld';

export function standingOf(decision: SkillDecision): Standing {
  if (!decision.usable) return 'withheld';
  return decision.state === 'always' ? 'injected' : 'listed';
}

/**
 * The refusal that a load of this skill meets, or null when it may be loaded. Slugs are those of
 * `call.v1.catalog.load-skill`; the message may be read by the model. An injected hidden skill stays `skill-hidden`.
 */
export function loadRefusal(decision: SkillDecision, hidden: boolean): { slug: string; message: string } | null {
  const { slug } = decision;
  if (hidden) return { slug: 'skill-hidden', message: `There is no skill "${slug}" here; load only skills that are listed.` };
  if (decision.state === 'never') {
    return { slug: 'skill-never', message: `The skill "${slug}" is switched off (${whose(decision)}); go on without it and say so.` };
  }
  if (decision.usable) return null;
  const invalid = decision.unmet.some(({ kind }) => kind === 'invalid' || kind === 'withdrawn' || kind === 'state');
  return { slug: invalid ? 'skill-invalid' : 'skill-unmet', message: decision.unmet.map(({ message }) => message).join(' ') };
}

const whose = ({ layer }: SkillDecision): string =>
  layer === 'operator-lock'
    ? "the operator's lock"
    : layer === 'admin-lock'
      ? "the account admin's lock"
      : layer === 'default'
        ? 'its own default'
        : `${layer} setting`;
