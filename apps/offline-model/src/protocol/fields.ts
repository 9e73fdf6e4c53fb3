import { BadRequest } from './bad-request.js';

export type Fields = Record<string, unknown>;

export function flag(value: unknown, at: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new BadRequest(at, 'must be true or false');
  return value;
}

export function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new BadRequest(at, 'must be an array');
  return value;
}

export function object(value: unknown, at: string | null): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest(at, 'must be a JSON object');
  return value as Fields;
}
