import { constants, accessSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Where a name without a slash in front is meant from: the commands of `bin/` go to the repository, and say where they were called. */
const fromWhere = (name: string): string => resolve(process.env.SKILLGATE_CALLED_FROM || '.', name);

/** A file to read, as its whole path. Other than most values this one stands in messages: it is the mistake, and no secret. */
export const fileVariable = z
  .string()
  .min(1)
  .transform((name, context): string => {
    const path = fromWhere(name);
    try {
      accessSync(path, constants.R_OK);
      if (!statSync(path).isDirectory()) return path;
      context.addIssue(`names ${path}, which is a folder and no file`);
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'which is not there' : `which cannot be read (${(error as Error).message})`;
      context.addIssue(`names ${path}, ${why}; a relative name counts from the folder in which you call`);
    }
    return z.NEVER;
  });

/** A folder, as its whole path; whoever reads it says when it cannot be read. */
export const folderVariable = z.string().min(1).transform(fromWhere);

/** For commands that have no configuration. @throws Error that names the variable and the whole path */
export function fileNamedBy(variable: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const name = env[variable];
  if (!name) return undefined;
  const parsed = fileVariable.safeParse(name);
  if (!parsed.success) throw new Error(`${variable} ${parsed.error.issues[0]!.message}.`);
  return parsed.data;
}
