import { countTokens } from '@skillgate/prompt/count-tokens';
import { maxFileBytes } from '../decode-text.js';
import { scanText } from '../scan-text.js';
import type { Found } from './finding.js';
import type { OpenedFile, OpenedSkill } from './open-package.js';
import { findSecrets } from './secrets.js';

/** Tokens of one file that a skill has read while it works. */
const readable = 5_000;
const textual = /\.(?:md|markdown|txt|ya?ml|json|csv|tsv|xml|html?|css|py|js|mjs|ts|sh|sql|toml|ini|cfg|rst|tex|r)$/i;

/** Every file of the package to its end, also of one that cannot be used: what is hidden is hidden where nobody looks. */
export function fileRules({ files }: OpenedSkill): Found[] {
  return files.flatMap((file) => [...hiddenIn(file), ...secretsIn(file), ...sizeOf(file)]);
}

const hiddenIn = ({ path, text }: OpenedFile): Found[] =>
  text === undefined
    ? []
    : scanText(text).map(({ rule, message, line = 1, column = 1 }) => ({ rule, message, file: path, at: { line, column } }));

const secretsIn = ({ path, searchable, placeOf }: OpenedFile): Found[] =>
  findSecrets(searchable).map(({ kind, index, hint }) => ({
    rule: 'secret',
    message: `This looks like a credential (${kind}, ${hint}).`,
    file: path,
    at: placeOf(index),
  }));

/** SKILL.md and routing.yaml are measured by their parsers. */
function sizeOf({ path, size, text, problem }: OpenedFile): Found[] {
  if (path === 'SKILL.md' || path === 'routing.yaml') return [];
  if (problem) return textual.test(path) ? [{ rule: problem.rule, message: problem.message, file: path }] : [];
  if (size > maxFileBytes) return [{ rule: 'file-size', message: `The file has ${size} bytes and may have ${maxFileBytes}.`, file: path }];
  const tokens = size < readable ? 0 : countTokens(text ?? ''); // a token is a byte at least
  return tokens > readable ? [{ rule: 'file-long', message: `The file has ${tokens} tokens; what is read whole should stay below ${readable}.`, file: path }] : [];
}
