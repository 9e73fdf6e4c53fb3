import { statArtifact } from '@skillgate/contracts/calls/artifacts';
import type { Wire } from '@skillgate/wire/wire';

/**
 * The files of a turn in words for the model, one line each; '' without any.
 *
 * @throws refusal `unknown-artifact` for a file that is not this account's, `artifact-incomplete` for one that is not whole
 */
export async function attachmentsOf(wire: Pick<Wire, 'call'>, ticket: string, ids: readonly string[], signal: AbortSignal): Promise<string> {
  const found = await Promise.all([...new Set(ids)].map((id) => wire.call(statArtifact, { authority: ticket, id }, { signal })));
  const lines = found.map(({ id, name, mime, bytes }) => `- ${oneLine(name)} (${mime}, ${bytes} bytes), artifact: ${id}`);
  return lines.length === 0 ? '' : `[Attached files]\n${lines.join('\n')}`;
}

/** A file name is the user's text: it must not begin a line of its own. */
const oneLine = (name: string): string => name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
