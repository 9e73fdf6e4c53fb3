import { parseArgs } from 'node:util';

export const deadLettersUsage = `bin/skillgate dead-letters [list] [--service S]    what services could not work on, and why
bin/skillgate dead-letters show ID                  one of them whole
bin/skillgate dead-letters replay ID …              tell the event again, and remove the letter
bin/skillgate dead-letters drop ID …                remove the letter; the event is lost for that service

  --service S  letters of one service
  --json       one JSON object instead of text
  --state DIR  folder of the house that bin/dev runs (.skillgate/dev). Elsewhere set SKILLGATE_NATS_URL and
               SKILLGATE_NATS_PASSWORD_OPERATOR_TOOLS

A replayed event goes to everybody who hears it, under the id that it had: whoever worked on it before leaves it be.`;

export type Verb = 'list' | 'show' | 'replay' | 'drop';

export interface LetterId {
  readonly service: string;
  readonly seq: number;
}

export interface DeadLettersArguments {
  readonly verb: Verb;
  readonly ids: readonly LetterId[];
  readonly service?: string;
  readonly json: boolean;
  readonly state?: string;
  readonly help: boolean;
}

const verbs: readonly string[] = ['list', 'show', 'replay', 'drop'];
const letterId = /^([a-z][a-z0-9-]*)-([1-9][0-9]*)$/; // service and place in its stream: catalog-12

export const idOf = ({ service, seq }: LetterId): string => `${service}-${seq}`;

/** @param services those that have dead letters. @throws an error that says what is wrong with the words */
export function deadLettersArguments(words: string[], services: readonly string[]): DeadLettersArguments {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      service: { type: 'string' },
      json: { type: 'boolean', default: false },
      state: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  const [verb = 'list', ...rest] = positionals;
  if (!verbs.includes(verb)) throw new Error(`"${verb}" is none of ${verbs.join(', ')}`);
  const ids = rest.map((word) => {
    const [, service = '', seq] = letterId.exec(word) ?? [];
    if (!services.includes(service)) throw new Error(`"${word}" is no dead letter: write it as the list does, such as ${services[0]}-1`);
    return { service, seq: Number(seq) };
  });
  if (values.service !== undefined && !services.includes(values.service)) {
    throw new Error(`no service "${values.service}" has dead letters; ${services.join(' and ')} hear events`);
  }
  if (verb === 'list' && ids.length > 0) throw new Error('list takes no ids; did you mean show?');
  if (verb === 'show' && ids.length !== 1) throw new Error('show takes one id');
  if ((verb === 'replay' || verb === 'drop') && ids.length === 0 && !values.help) throw new Error(`${verb} takes the ids that the list shows`);
  return { verb: verb as Verb, ids, service: values.service, json: values.json, state: values.state, help: values.help };
}
