import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** `['messages', 0, 'role']` -> `messages[0].role`, as the vendor writes it. */
export const paramOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    '',
  );

/** Turns the first issue of a failed parse into a refusal that names the field. */
export function refuseIssues(slug: string, error: z.ZodError): HouseError {
  const issue = innermost(error.issues[0]!);
  if (issue.code === 'unrecognized_keys') {
    const param = paramOf([...issue.path, issue.keys[0]!]);
    return refuse(slug, `Unknown field "${param}". Remove it; GET /openapi.json lists the fields that are read.`, { param });
  }
  const param = paramOf(issue.path);
  return refuse(slug, param ? `${param}: ${issue.message}` : issue.message, param ? { param } : undefined);
}

/** A union says only "invalid input"; the branch that got furthest into the value says why. So does what a name in an object must be. */
function innermost(issue: Issue): Issue {
  if (issue.code === 'invalid_key' && issue.issues[0]) return { ...issue.issues[0], path: issue.path };
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map((each) => innermost(each));
  const furthest = inner.reduce<Issue | undefined>((best, each) => (best && best.path.length >= each.path.length ? best : each), undefined);
  return furthest ? { ...furthest, path: [...issue.path, ...furthest.path] } : issue;
}
