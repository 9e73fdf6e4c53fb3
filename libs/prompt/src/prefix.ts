import { createHash } from 'node:crypto';
import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { basePrompt } from './base-prompt.js';
import { personaBlock, type PersonaWords } from './persona-block.js';
import { fitCatalog, type FittedCatalog } from './fit-catalog.js';

export interface Prefix {
  /** The one leading system message: frozen, byte for byte, for a chat's epoch. */
  readonly text: string;
  readonly base: string;
  /** Empty without tools. */
  readonly catalog: string;
  /** How many skills have which kind of line; null without tools. */
  readonly lines: Pick<FittedCatalog, 'full' | 'shortened' | 'grouped'> | null;
  /** Lower-case hexadecimal SHA-256 of `text` in UTF-8. */
  readonly hash: string;
}

export interface PrefixParts {
  /** The account has tools and the model uses them; without them there is no catalog, whatever the entries. */
  readonly tools: boolean;
  readonly entries: readonly CatalogEntry[];
  /** Tokens that the catalog may take. */
  readonly budget?: number;
  readonly persona?: PersonaWords | null;
}

export function renderPrefix({ tools, entries, budget, persona }: PrefixParts): Prefix {
  const base = persona ? `${basePrompt(tools)}\n\n${personaBlock(persona)}` : basePrompt(tools);
  const fitted = tools ? fitCatalog(entries, budget) : null;
  const text = fitted ? `${base}\n\n${fitted.text}` : base;
  return { text, base, catalog: fitted?.text ?? '', lines: fitted && linesOf(fitted), hash: createHash('sha256').update(text).digest('hex') };
}

const linesOf = ({ full, shortened, grouped }: FittedCatalog) => ({ full, shortened, grouped });

/** The parts of a prefix that was rendered earlier, perhaps by an older version of the house. */
export function splitPrefix(text: string): Pick<Prefix, 'base' | 'catalog'> {
  const at = text.lastIndexOf('\n\n<available_skills>');
  return at < 0 ? { base: text, catalog: '' } : { base: text.slice(0, at), catalog: text.slice(at + 2) };
}
