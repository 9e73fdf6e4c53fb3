import type { HistoryCall } from './history.js';

/** One piece of a streamed call, as in `delta.tool_calls`. Servers leave out or repeat any of it. */
export interface CallPiece {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
  /** What the provider wants back with this call. */
  readonly kept?: Record<string, unknown>;
}

/** A whole call, with what its provider wants back; absent when there is nothing. */
export type StreamedCall = Pick<HistoryCall, 'id' | 'name' | 'arguments'> & { kept?: Record<string, unknown> };

interface OpenCall {
  id: string;
  index: number | undefined;
  name: string;
  arguments: string;
  kept?: Record<string, unknown>;
}

/**
 * Puts streamed calls together. A piece belongs to the call with its id; without an id, to the latest call with its index; without
 * either, to the call that was touched last. A new id opens a call, and so does a name where the call in question is already whole:
 * servers exist that number every call 0 or none.
 *
 * `finish` returns the calls in the order opened, with `fallbackId(n)` for those that got no id, and a sentence for each piece that
 * belongs to no call.
 */
export function accumulateCalls(fallbackId: (position: number) => string) {
  const calls: OpenCall[] = [];
  const problems: string[] = [];
  let last: OpenCall | undefined;

  const open = (piece: CallPiece): OpenCall => {
    const call = { id: piece.id ?? '', index: piece.index ?? undefined, name: '', arguments: '' };
    calls.push(call);
    return call;
  };

  const ownerOf = (piece: CallPiece): OpenCall | undefined => {
    const name = piece.function?.name;
    const byIndex = piece.index == null ? undefined : calls.findLast(({ index }) => index === piece.index);
    if (piece.id) {
      const known = calls.find(({ id }) => id === piece.id);
      if (known) return known;
      // A call that came without an id gets it later; a server may also invent an id for each piece of one call.
      const candidate = byIndex ?? (piece.index == null ? last : undefined);
      const goesOn = candidate && !name && !isWhole(candidate.arguments);
      return goesOn ? candidate : open(piece);
    }
    const candidate = byIndex ?? (name && piece.index != null ? undefined : last);
    if (!name) return candidate;
    const repeatsHeader = candidate?.name === name && !isWhole(candidate.arguments) && Boolean(piece.function?.arguments);
    return repeatsHeader ? candidate : open(piece);
  };

  return {
    add(piece: CallPiece): void {
      const owner = ownerOf(piece);
      if (!owner) {
        problems.push(`A piece of a tool call came before any call: ${JSON.stringify(piece).slice(0, 200)}`);
        return;
      }
      if (piece.id && owner.id === '') owner.id = piece.id;
      if (piece.function?.name) owner.name = piece.function.name;
      owner.arguments += piece.function?.arguments ?? '';
      if (piece.kept) owner.kept = { ...owner.kept, ...piece.kept };
      last = owner;
    },
    finish(): { calls: StreamedCall[]; problems: string[] } {
      const named = calls.filter(({ name, arguments: text }) => {
        if (name === '') problems.push(`A tool call came without a name, with the arguments ${JSON.stringify(text.slice(0, 200))}`);
        return name !== '';
      });
      const whole = named.map(({ id, name, arguments: text, kept }, at) => ({ id: id || fallbackId(at), name, arguments: text, ...(kept && { kept }) }));
      return { calls: whole, problems };
    },
  };
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
