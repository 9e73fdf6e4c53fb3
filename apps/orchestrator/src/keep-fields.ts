import type { ProviderData } from '@skillgate/prompt/history';

type Fields = Record<string, unknown>;

export interface KeptFields {
  /** Those of them that `sent` has; undefined for none. */
  of(sent: unknown): Fields | undefined;
  /** Gathers those that stand beside the text of an answer, as they stream. */
  message(delta: unknown): void;
  /** What the call in this place of the answer keeps of its provider. */
  provider(model: string, place: number, call: Fields | undefined): { provider?: ProviderData };
}

/** Characters of JSON in one answer: signatures are short, and thoughts that are longer are not worth what they cost in each request. */
const mostKept = 200_000;

/**
 * What a provider wants back as it was, such as signatures of its thoughts. Only the fields that the model's entry names are kept: text
 * and lists that stream are put together, everything else is what came last.
 */
export function keepFields(names: readonly string[]): KeptFields {
  const beside: Fields = {};
  const of = (sent: unknown): Fields | undefined => {
    if (typeof sent !== 'object' || sent === null) return undefined;
    const found = names.filter((name) => Object.hasOwn(sent, name) && (sent as Fields)[name] != null);
    return found.length > 0 ? Object.fromEntries(found.map((name) => [name, (sent as Fields)[name]])) : undefined;
  };
  return {
    of,
    message(delta) {
      for (const [name, value] of Object.entries(of(delta) ?? {})) beside[name] = joined(beside[name], value);
    },
    provider(model, place, call) {
      const message = place === 0 && Object.keys(beside).length > 0 ? beside : undefined;
      if ((!call && !message) || JSON.stringify([call, message]).length > mostKept) return {};
      return { provider: { model, ...(call && { call }), ...(message && { message }) } };
    },
  };
}

function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  return Array.isArray(before) && Array.isArray(value) ? [...(before as unknown[]), ...(value as unknown[])] : value;
}
