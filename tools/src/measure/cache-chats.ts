import type { ModelStep } from './recording-model.js';

/** One user's message and what the model does about it. */
export interface PlayedTurn {
  readonly says: string;
  readonly steps: readonly ModelStep[];
}

const load = (slug: string): ModelStep => ({ call: 'load_skill', arguments: { slug } });
const write = (name: string): ModelStep => ({ call: 'docs_write_text', arguments: { file_name: `${name}.md`, content: `# ${name}\n\nDecide by Friday. The lease ends in March, and the new hall is 400 m² larger.` } });
const find = (what: string): ModelStep => ({ call: `measure_${what}_find`, arguments: { query: 'Halvorsen', from: '2026-11-01', state: 'open' } });
const answer = (of: string): ModelStep => ({
  say: `Here is what I found about ${of}. Five rows are open, the oldest from 10 November, all of Halvorsen Freight; together they come to 6,370. ` +
    'Two of them were due last week. I have left out what is disputed, since nobody has agreed on its amount yet, and I can list it apart if you want it.',
});

/** A chat that begins with nothing in any cache: load, one tool, answer. */
export const coldTurn: readonly PlayedTurn[] = [
  { says: 'Make a one-page memo of this: the lease of the old warehouse ends in March, and the new one is larger.', steps: [load('briefing-memo'), write('memo'), answer('the move')] },
];

/** Ten turns, three activations, each of which opens tools; as many turns need a tool as need none. */
export const longChat: readonly PlayedTurn[] = [
  ...coldTurn,
  { says: 'Shorter, please, and without the second paragraph.', steps: [answer('the shorter memo')] },
  { says: 'Write that down as a file of its own.', steps: [write('short-memo'), answer('the file')] },
  { says: 'Which deliveries of Halvorsen are still open this month?', steps: [load('deliveries'), find('deliveries'), answer('open deliveries')] },
  { says: 'Are any of them late?', steps: [answer('late deliveries')] },
  { says: 'Look again, somebody said that one came in this morning.', steps: [find('deliveries'), answer('this morning')] },
  { says: 'And what do we owe them?', steps: [load('invoices'), find('invoices'), answer('open invoices')] },
  { says: 'Which of these should I pay first?', steps: [answer('what to pay first')] },
  { says: 'Check the invoices once more for November.', steps: [find('invoices'), answer('November')] },
  { says: 'Thanks. Sum it up in two sentences for my manager.', steps: [answer('all of it')] },
];
