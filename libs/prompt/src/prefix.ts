import { createHash } from 'node:crypto';
import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { basePrompt } from './base-prompt.js';
import { renderCatalog } from './catalog-block.js';

export interface Prefix {
  /** The one leading system message: frozen, byte for byte, for a chat's epoch. */
  readonly text: string;
  readonly base: string;
  /** Empty without tools. */
  readonly catalog: string;
  /** Lower-case hexadecimal SHA-256 of `text` in UTF-8. */
  readonly hash: string;
}

/** `tools`: the account has tools and the model uses them; without them there is no catalog, whatever the entries. */
export function renderPrefix({ tools, entries }: { tools: boolean; entries: readonly CatalogEntry[] }): Prefix {
  const base = basePrompt(tools);
  const catalog = tools ? renderCatalog(entries) : '';
  const text = tools ? `${base}\n\n${catalog}` : base;
  return { text, base, catalog, hash: createHash('sha256').update(text).digest('hex') };
}

/** The parts of a prefix that was rendered earlier, perhaps by an older version of the house. */
export function splitPrefix(text: string): Pick<Prefix, 'base' | 'catalog'> {
  const at = text.lastIndexOf('\n\n<available_skills>');
  return at < 0 ? { base: text, catalog: '' } : { base: text.slice(0, at), catalog: text.slice(at + 2) };
}
