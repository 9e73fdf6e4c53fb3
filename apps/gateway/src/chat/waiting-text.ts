import type { PendingApproval, Waiting } from '@skillgate/contracts/approval';
import { escapeUnseen } from '@skillgate/contracts/plain-text';

/** Characters of a call's arguments in a sentence; the API has all of them. */
const shownArguments = 2_000;

/**
 * What a client reads that knows nothing of approvals: the answer ends with it, and it is no part of the answer that the chat keeps.
 * Nothing that is written into the chat approves anything.
 */
export function waitingText({ approvals, until }: Waiting): string {
  const lines = approvals.map((one) => `- ${one.tool} ${argumentsOf(one)}\n  POST /api/v1/approvals/${one.id}/approve, …/deny or …/edit`);
  const what = approvals.length === 1 ? 'this call, which has not been made' : 'these calls, none of which has been made';
  return `[Waiting for your approval until ${until} of ${what}:]\n${lines.join('\n')}`;
}

function argumentsOf({ arguments: args }: PendingApproval): string {
  if (!args) return '(long arguments: GET /api/v1/approvals has them)';
  // On these lines a user decides: what turns the direction or is not seen must not hide what the call does.
  const text = escapeUnseen(JSON.stringify(args));
  return text.length <= shownArguments ? text : `${text.slice(0, shownArguments).toWellFormed()}… (cut here)`;
}
