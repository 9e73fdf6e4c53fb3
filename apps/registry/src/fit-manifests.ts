import type { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';

type Listed = CallAnswer<typeof listManifests>['executors'][number];
type Tool = Listed['tools'][number];

/** Bytes of JSON that a list takes at most: an answer has 256 KiB, with its frame. */
const maxListBytes = 200 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/**
 * The list as one answer holds it. Executors share the room, so that one which announces much takes none of the others'; what they
 * leave is for it. What an operator has to decide on stays longest, and `leftOut` counts the rest.
 */
export function fitManifests(executors: readonly Listed[], room = maxListBytes): Listed[] {
  const smallestFirst = executors.map((one, at) => ({ one, at, bytes: bytesOf(one) })).sort((a, b) => a.bytes - b.bytes);
  const fitted: Listed[] = [];
  let left = room;
  smallestFirst.forEach(({ one, at, bytes }, done) => {
    const share = Math.floor(left / (smallestFirst.length - done));
    fitted[at] = bytes <= share ? one : cut(one, share);
    left -= bytesOf(fitted[at]);
  });
  return fitted;
}

const urgency: Record<Tool['state'], number> = { changed: 0, proposed: 0, approved: 1, quarantined: 2 };

function cut({ tools, refused = [], approvals = [], versions = [], ...frame }: Listed, share: number): Listed {
  let left = share - bytesOf({ ...frame, tools: [], refused: [], approvals: [], versions: [], leftOut: 999_999 });
  const fits = (value: unknown): boolean => {
    const bytes = bytesOf(value);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const shownVersions = versions.filter((version, at) => at < 20 && fits(version));
  const shownTools = [...tools]
    .sort((a, b) => urgency[a.state] - urgency[b.state])
    .flatMap((tool) => {
      if (fits(tool)) return [tool];
      const { changes: _changes, notes: _notes, ...bare } = tool;
      return fits(bare) ? [bare] : [];
    });
  const [shownRefused, shownApprovals] = [refused.filter(fits), approvals.filter(fits)];
  const leftOut = tools.length + refused.length + approvals.length - shownTools.length - shownRefused.length - shownApprovals.length;
  return {
    ...{ ...frame, tools: shownTools, approvals: shownApprovals, leftOut },
    ...(shownRefused.length > 0 && { refused: shownRefused }),
    ...(shownVersions.length > 0 && { versions: shownVersions }),
  };
}
