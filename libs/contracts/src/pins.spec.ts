import { describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { compareWithPin } from './additions-only.js';
import { deadLetter } from './dead-letter.js';
import type { Call } from './define-call.js';
import type { Event } from './define-event.js';
import { grantClaims, receiptClaims, ticketClaims } from './tokens.js';
import { settlement, settleRequest, toolProgress, toolRequest, toolResult } from './tool-call.js';
import { announcement } from './tool-manifest.js';
import { handover, turnMessage } from './turn-stream.js';

// Every contract is frozen as JSON Schema under `pins/`. `SKILLGATE_PINS=write` adds new contracts and optional additions
// to the pins; it never overwrites a breaking change: that is a new major version. A contract that no release has had may
// be pinned anew by deleting its file first, which the reviewer sees.
const src = dirname(fileURLToPath(import.meta.url));
const pins = join(src, '..', 'pins');
const writing = process.env.SKILLGATE_PINS === 'write';
const howTo = 'run this spec with SKILLGATE_PINS=write and commit libs/contracts/pins';

type Document = Parameters<typeof compareWithPin>[0];

// What a reader must accept: a field with a default may be missing.
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

const messages = { announcement, deadLetter, grantClaims, handover, receiptClaims, settlement, settleRequest, ticketClaims, toolProgress, toolRequest, toolResult, turnMessage };
const documents = new Map<string, object>(Object.entries(messages).map(([name, schema]) => [`message.${name}`, { message: schemaOf(schema) }]));

for (const folder of ['calls', 'events']) {
  for (const file of readdirSync(join(src, folder))) {
    if (file.endsWith('.spec.ts')) continue;
    const exported = (await import(`./${folder}/${file.replace(/\.ts$/, '.js')}`)) as Record<string, unknown>;
    for (const value of Object.values(exported)) {
      if (isContract(value, 'call')) {
        const { subject, perCaller, refusals, input, output } = value;
        documents.set(subject, { perCaller, refusals: [...refusals].sort(), input: schemaOf(input), output: schemaOf(output) });
      } else if (isContract(value, 'event')) {
        documents.set(value.subject, { payload: schemaOf(value.schema) });
      }
    }
  }
}

function isContract<T extends 'call' | 'event'>(value: unknown, type: T): value is T extends 'call' ? Call : Event {
  return typeof value === 'object' && value !== null && 'subject' in value && (value as { type?: unknown }).type === type;
}

describe('the contracts within a major version', () => {
  it.each([...documents.keys()].sort())('%s stands as it is pinned', (name) => {
    const file = join(pins, `${name}.json`);
    const text = `${JSON.stringify(documents.get(name), null, 2)}\n`;
    const pinned = read(file);
    if (pinned === undefined) {
      if (!writing) throw new Error(`${name} has no pin; ${howTo}`);
    } else {
      const { breaking, additions } = compareWithPin(JSON.parse(pinned) as Document, JSON.parse(text) as Document);
      if (breaking.length > 0) {
        throw new Error(`${name} breaks its pin; define it anew under the next major version:\n  ${breaking.join('\n  ')}`);
      }
      if (additions.length > 0 && !writing) throw new Error(`${name} has additions that are not pinned (${additions.join(', ')}); ${howTo}`);
    }
    if (writing) {
      mkdirSync(pins, { recursive: true });
      writeFileSync(file, text);
    }
  });

  it('lose none of the pinned ones', () => {
    const known = readdirSync(pins).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
    expect(known.filter((name) => !documents.has(name))).toEqual([]);
  });
});

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
