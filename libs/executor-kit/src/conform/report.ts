/** How one rule came out. */
export interface RuleReport {
  /** Stable, kebab-case. */
  readonly rule: string;
  /** The rule as a sentence. */
  readonly title: string;
  readonly verdict: 'kept' | 'broken' | 'not-tried';
  /** Of a broken rule: what went to the executor, what came back, and what to do about it. Of one that was not tried: what it needs. */
  readonly sent?: string;
  readonly came?: string;
  readonly advice?: string;
}

export interface ConformReport {
  readonly executor: string;
  readonly version: string | null;
  readonly kept: number;
  readonly broken: number;
  readonly notTried: number;
  readonly rules: readonly RuleReport[];
}

const sign = { kept: 'kept     ', broken: 'BROKEN   ', 'not-tried': 'not tried' } as const;

/** The report for a terminal. */
export function printReport({ executor, version, rules, kept, broken, notTried }: ConformReport): string {
  const lines = rules.flatMap(({ verdict, rule, title, sent, came, advice }) => [
    `${sign[verdict]}  ${rule}: ${title}`,
    ...(sent ? [`             sent  ${sent}`] : []),
    ...(came ? [`             came  ${came}`] : []),
    ...(advice ? [`             do    ${advice}`] : []),
  ]);
  return [`${executor}@${version ?? '(never announced)'}`, ...lines, `${kept} kept, ${broken} broken, ${notTried} not tried`].join('\n');
}
