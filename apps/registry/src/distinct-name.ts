import { createHash } from 'node:crypto';

const longest = 64; // of a tool's name, with every provider

/**
 * The name under which models know a tool whose own name another executor had first. It is given once and kept, so that a skill, a chat
 * and a policy mean the same tool tomorrow.
 */
export function distinctName(own: string, executor: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(own)) return own;
  const of = `_${executor.replaceAll('-', '_')}`;
  const whole = `${own}${of}`;
  if (whole.length <= longest && !isTaken(whole)) return whole;
  // What is cut off is told apart by its hash.
  for (let round = 0; ; round += 1) {
    const mark = `_${createHash('sha256').update(`${executor}/${own}/${round}`).digest('hex').slice(0, 6)}`;
    const name = `${own.slice(0, longest - of.length - mark.length)}${of}${mark}`;
    if (!isTaken(name)) return name;
  }
}
