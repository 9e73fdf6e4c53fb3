import type { OAuthProvider } from './provider-table.js';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at `team.name`, if there is one. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value);

/**
 * A token answer as RFC 6749 has it, of a provider that answers otherwise.
 *
 * @returns the status and body that the library shall read
 */
export function normalAnswer(
  differs: NonNullable<OAuthProvider['answer']>,
  status: number,
  body: unknown,
): { status: number; body: unknown } {
  if (!isObject(body)) return { status, body };
  const failed = status >= 400 || (differs.okField !== undefined && body[differs.okField] === false);
  if (failed) {
    const said = typeof body.error === 'string' ? body.error : 'server_error';
    const error = differs.invalidGrant.includes(said) ? 'invalid_grant' : said;
    return { status: status >= 400 ? status : 400, body: { error } };
  }
  const inner = differs.tokenAt ? at(body, differs.tokenAt) : undefined;
  const token = isObject(inner) && typeof inner.access_token === 'string' ? { ...body, ...inner } : body;
  return { status, body: { ...token, token_type: 'bearer' } };
}
