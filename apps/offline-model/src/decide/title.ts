import type { Material } from '../compose/material.js';
import { titleOf } from '../read/catalog.js';
import { countWords } from '../text/words.js';

/** Longer first lines are prose, no title. */
const mostWords = 14;

/** "Weekly report: Harbour project": the skill's words, then the material's own title, or its file's name. */
export function titleFor(slug: string | undefined, materials: Material[], request: string): string {
  const subject = materials.map(subjectOf).find((found) => found !== '') ?? shorten(request);
  const kind = slug ? capital(titleOf(slug)) : '';
  if (kind === '') return capital(subject);
  if (subject === '') return kind;
  // A second colon would read like a chain.
  return subject.includes(': ') ? `${kind} – ${subject}` : `${kind}: ${subject}`;
}

function subjectOf(material: Material): string {
  const title = material.kind === 'text' ? material.document.title : '';
  if (title !== '' && countWords(title) <= mostWords) return title;
  return capital(
    material.name
      .replace(/\.[A-Za-z0-9]{1,5}$/, '')
      .replace(/[-_]+/g, ' ')
      .trim(),
  );
}

function shorten(request: string): string {
  return request
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 8)
    .join(' ')
    .replace(/[.,;:!?]+$/, '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
