import type { DeadLettersResult, ListedLetter } from './dead-letters.js';

/** For people: a line or two a letter. */
export function printDeadLetters({ letters, more, done = [] }: DeadLettersResult, whole: boolean): string {
  const lines = done.map(({ id, done: what, problem }) => (what ? `${id} ${what}` : `${id}: ${problem}`));
  if (!letters) return lines.join('\n');
  if (whole) return [...letters.map((letter) => JSON.stringify(letter, null, 2)), ...lines].join('\n');
  if (letters.length === 0) return 'no dead letters: every event that was heard was worked on';
  return [...letters.map(summary), ...(more ? ['and more; remove some of these to see them'] : [])].join('\n');
}

const widest = 200; // of a reason, which may quote a whole stack

function summary({ id, at, subject, attempts, reason: { kind, slug, message } }: ListedLetter): string {
  const tries = attempts === 1 ? 'delivered once' : `delivered ${attempts} times`;
  const why = message.replaceAll(/\s+/g, ' ').slice(0, widest);
  return `${id}  ${at}  ${subject}  ${tries}\n    ${kind} ${slug}: ${why}`;
}
