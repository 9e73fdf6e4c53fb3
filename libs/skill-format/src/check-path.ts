const forbidden = /[\\:\p{Cc}\p{Cs}]/u; // Windows separators and drives, control characters, lone surrogates

/** Why a file of a package may not have this path, in one sentence; undefined when it may. */
export function pathProblem(path: string): string | undefined {
  const parts = path.split('/');
  if (!forbidden.test(path) && !parts.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  return `The path ${JSON.stringify(path)} is not allowed; use names inside the skill's folder, with / between them.`;
}

/** Two paths with the same folded form are one on some file systems: case and Unicode composition do not tell them apart. */
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase();
