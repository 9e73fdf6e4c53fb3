import type { Document } from './document.js';
import type { Material } from './material.js';

/** Several texts as one document, each under its file's name; a single one stays as it is. */
export function mergeDocuments(materials: Material[]): Document {
  const texts = materials.filter((material) => material.kind === 'text');
  if (texts.length <= 1) return texts[0]?.document ?? { title: '', sections: [] };
  return {
    title: texts.map((text) => text.document.title).find((title) => title !== '') ?? '',
    sections: texts.flatMap((text) => [
      { heading: text.name || 'Your message', level: 1, blocks: [] },
      ...text.document.sections.map((section) => ({ ...section, level: section.level === 0 ? 0 : section.level + 1 })),
    ]),
  };
}
