import type { HistoryItem } from '@skillgate/prompt/history';

type Notice = Extract<HistoryItem, { kind: 'notice' }>;

/** What is different from one step of a turn to the next. */
export interface RightsChange {
  /** No tools and no skills at all any more. */
  plain: boolean;
  /** Names with the reason why they do not work any more. */
  closed: readonly { name: string; why: string }[];
  /** Names that work from now on. */
  opened: readonly string[];
  /** What has changed in the list of skills, in words. */
  skills: string | null;
}

const changed = 'What this account may use was changed while you were working on this.';

/** What the model is told of a change, and to tell the user of it where that matters; null when nothing of it concerns the model. */
export function rightsNotice({ plain, closed, opened, skills }: RightsChange): Notice | null {
  if (plain) {
    const rest = 'Call no tool and load no skill any more: each call would be refused. Answer with what you have, and tell the user what is left undone and that a change of the account\'s plan is the reason.';
    return { kind: 'notice', text: `${changed} It has plain chat only now. ${rest}` };
  }
  const parts = [
    ...(closed.length > 0 ? ['These tools do not work any more:', ...closed.map(({ name, why }) => `- ${name}: ${why}`), 'Do without them. Where that matters to the answer, tell the user what is left undone and why.'] : []),
    ...(opened.length > 0 ? [`These tools work now: ${opened.join(', ')}`] : []),
    ...(skills ? [skills] : []),
  ];
  return parts.length > 0 ? { kind: 'notice', text: [changed, ...parts].join('\n') } : null;
}
