import { unescapeEntities } from '../text/entities.js';

/** Attributes of an opening tag, entities undone. */
export function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const match of tag.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    attributes[match[1]!] = unescapeEntities(match[2] ?? match[3] ?? '');
  return attributes;
}
