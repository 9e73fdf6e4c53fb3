import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { skillPublished, skillRetired } from '@skillgate/contracts/events/catalog';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';

/** Milliseconds; replicas of the catalog look once a second. */
const latelyMs = 2_000;

/**
 * What this instance has heard of skills that were published or retired, in the order in which it heard it. Whoever holds one of them asks the
 * catalog again, which alone knows what is to become of it. What is not heard is asked with the next turn in any case.
 */
export class Publications {
  private heard = 0;
  private heardAt = -Infinity;
  private readonly newest = new Map<string, number>(); // no more entries than there are skills

  tell(slug: string): void {
    this.newest.set(slug, ++this.heard);
    this.heardAt = performance.now();
  }

  /** For `since`: what is told from now on is news. */
  get now(): number {
    return this.heard;
  }

  /** So lately that a replica of the catalog may not have looked at its store since. */
  get lately(): boolean {
    return performance.now() - this.heardAt < latelyMs;
  }

  since(then: number, skills: readonly Pick<LoadedSkill, 'slug'>[]): boolean {
    return skills.some(({ slug }) => (this.newest.get(slug) ?? 0) > then);
  }
}

/** Closed with the wire. A broker that forbids it is a mistake of its configuration, told in the log: chats then move on with their next turn. */
export function watchPublications(wire: Pick<Wire, 'watch'>, publications: Publications, log: Pick<Log, 'error'>): void {
  for (const event of [skillPublished, skillRetired]) {
    wire.watch(event, ({ slug }) => publications.tell(slug)).ready.catch((err: unknown) =>
      log.error({ err }, 'publications of skills are not heard here; running turns keep the texts that they have. Let NATS have the generated permissions'),
    );
  }
}
