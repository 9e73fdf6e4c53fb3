import { HouseError, refuse } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';

/** The error that a client gets for a turn without an answer; null for a finished one. */
export function outcomeError({ status, error }: TurnOutcome): HouseError | null {
  if (status === 'finished') return null;
  if (status === 'cancelled')
    return refuse('turn-cancelled', error?.message ?? 'The turn was cancelled before it had an answer. Ask again.');
  if (!error) return new HouseError({ kind: 'defect', slug: 'internal', message: 'The turn failed without a reason.' });
  const { slug, message, correlationId } = error;
  return new HouseError({ kind: kindOf(slug), slug, message, correlationId });
}

/** The journal keeps slugs, not kinds: "try again" is told here from "do something else". */
function kindOf(slug: string): HouseError['kind'] {
  if (slug === 'internal') return 'defect';
  return passing.test(slug) ? 'unavailable' : 'refusal';
}

// What passes by itself: the model's endpoint, the wire, a database, an instance that went away.
const passing = new RegExp(
  `^(${[
    'model-(unreachable|overloaded|stalled|cut|empty)',
    '(wire|database|bucket)-.+',
    'no-responder|deadline-passed|draining|cancelled|turn-interrupted',
  ].join('|')})$`,
);
