import { statArtifact } from '@skillgate/contracts/calls/artifacts';
import { escapeMarks, oneLine } from '@skillgate/prompt/one-line';
import type { Wire } from '@skillgate/wire/wire';

/**
 * The files of a turn in words for the model, one line each, their names without a mark or a break that could pass for ours; '' without any.
 *
 * @throws refusal `unknown-artifact` for a file that is not this account's, `artifact-incomplete` for one that is not whole
 */
export async function attachmentsOf(wire: Pick<Wire, 'call'>, ticket: string, ids: readonly string[], signal: AbortSignal): Promise<string> {
  const found = await Promise.all([...new Set(ids)].map((id) => wire.call(statArtifact, { authority: ticket, id }, { signal })));
  const lines = found.map(({ id, name, mime, bytes }) => `- ${escapeMarks(oneLine(name))} (${mime}, ${bytes} bytes), artifact: ${id}`);
  return lines.length === 0 ? '' : `[Attached files]\n${lines.join('\n')}`;
}
