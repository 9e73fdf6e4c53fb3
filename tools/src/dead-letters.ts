import type { DeadLetter } from '@skillgate/contracts/dead-letter';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import type { Wire } from '@skillgate/wire/wire';
import type { DeadLetters } from '@skillgate/wire/mend-stream';
import { type DeadLettersArguments, idOf, type LetterId } from './dead-letters-arguments.js';

export interface ListedLetter extends DeadLetter {
  readonly id: string;
}

/** What became of one letter; `problem` says why nothing did, and what to do. */
export interface Done {
  readonly id: string;
  readonly done?: 'replayed' | 'dropped';
  readonly problem?: string;
}

export interface DeadLettersResult {
  readonly letters?: readonly ListedLetter[];
  /** More are there than the list shows. */
  readonly more?: boolean;
  readonly done?: readonly Done[];
}

const streams = new Map((operatorToolsEdges.mends ?? []).map((stream) => [stream.owner, stream]));

/** Services that may have dead letters. */
export const lettersOf = [...streams.keys()];

const mostListed = 500; // of one service

/** Does what the words ask. @throws when NATS does not answer */
export async function deadLetters(wire: Wire, { verb, ids, service }: DeadLettersArguments): Promise<DeadLettersResult> {
  const box = (owner: string): DeadLetters => wire.deadLetters(streams.get(owner)!); // the arguments name known services alone
  if (verb === 'list') {
    const perService = await Promise.all(
      (service ? [service] : lettersOf).map(async (owner) => {
        const kept = await box(owner).list(mostListed + 1);
        return { more: kept.length > mostListed, letters: kept.slice(0, mostListed).map(({ seq, letter }) => ({ id: idOf({ service: owner, seq }), ...letter })) };
      }),
    );
    return { letters: perService.flatMap(({ letters }) => letters), more: perService.some(({ more }) => more) };
  }
  if (verb === 'show') {
    const kept = await box(ids[0]!.service).get(ids[0]!.seq);
    return kept ? { letters: [{ id: idOf(ids[0]!), ...kept.letter }] } : { letters: [], done: [missing(ids[0]!)] };
  }
  const done: Done[] = [];
  for (const id of ids) done.push(await (verb === 'replay' ? replay(box(id.service), id) : drop(box(id.service), id))); // in the order given
  return { done };
}

async function replay(letters: DeadLetters, id: LetterId): Promise<Done> {
  const kept = await letters.get(id.seq);
  if (!kept) return missing(id);
  if (typeof kept.letter.payload === 'string') {
    return { id: idOf(id), problem: 'the body of the event was no JSON, so it would be buried again; repair its emitter and drop the letter' };
  }
  await letters.replay(kept.letter);
  // The event is out: should this fail, a second replay does no harm to who de-duplicates.
  await letters.remove(id.seq);
  return { id: idOf(id), done: 'replayed' };
}

async function drop(letters: DeadLetters, id: LetterId): Promise<Done> {
  return (await letters.remove(id.seq)) ? { id: idOf(id), done: 'dropped' } : missing(id);
}

const missing = (id: LetterId): Done => ({ id: idOf(id), problem: 'there is no such dead letter; bin/skillgate dead-letters shows those that are there' });
