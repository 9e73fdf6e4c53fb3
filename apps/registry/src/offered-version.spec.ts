import { describe, expect, it } from '@jest/globals';
import { offeredVersion } from './offered-version.js';
import { announcedTool, approvedTool } from './spec-support/facts.js';

const text = { type: 'string' };
const schema = (properties: Record<string, unknown>, required: string[] = []) => ({ type: 'object', properties, required, additionalProperties: false });
const version = (inputSchema: Record<string, unknown>, effect: 'read' | 'write' = 'read') => ({ announced: announcedTool({ inputSchema, effect }), approved: approvedTool({ inputSchema, effect }) });

const first = version(schema({ a: text }, ['a']));
const grown = version(schema({ a: text, b: text }, ['a'])); // takes what `first` takes
const broken = version(schema({ c: text }, ['c']));
const writing = version(schema({ a: text }, ['a']), 'write');
const forged = { ...first.announced, effect: 'write' as const, fault: { slug: 'tool-quarantined' as const, reason: 'forged' } };

describe('while an executor rolls over', () => {
  it.each([
    ['the approved one is offered while it is alone', [first.approved], [first.announced], first, 'serving'],
    ['nothing is offered when nobody lives', [first.approved], [], first, 'away'],
    ['an older approved one is offered as long as only its instances live', [grown.approved, first.approved], [first.announced], first, 'serving'],
    ['both approved: the one that both take', [grown.approved, first.approved], [first.announced, grown.announced], first, 'serving'],
    ['the newer one as soon as the old instances are gone', [grown.approved, first.approved], [grown.announced], grown, 'serving'],
    ['a newer one that takes the old arguments may run before it is approved', [first.approved], [first.announced, grown.announced], first, 'serving'],
    ['a newer one that does not holds the tool until it is approved', [first.approved], [first.announced, broken.announced], first, 'changed'],
    ['a newer one with another effect holds it, since calls would reach it', [first.approved], [first.announced, writing.announced], first, 'changed'],
    ['approved versions that do not take each other hold it until one is gone', [broken.approved, first.approved], [first.announced, broken.announced], broken, 'mixed'],
    ['nothing of what lives is approved', [first.approved], [grown.announced], first, 'changed'],
    ['a forged announcement of the approved digest opens nothing', [first.approved], [forged], first, 'changed'],
    ['and holds what a sound one opened, since calls would reach it', [first.approved], [first.announced, forged], first, 'changed'],
  ] as const)('%s', (_sentence, approved, announced, offered, liveness) => {
    const answer = offeredVersion(approved, announced);
    expect([answer.tool.schemaDigest, answer.liveness]).toEqual([offered.approved.schemaDigest, liveness]);
  });
});
