/** Something wrong with a file: what, where, and what to do about it. Lines and columns count from 1, in the file as saved. */
export interface Problem {
  /** Stable, kebab-case. */
  readonly rule: string;
  /** An error makes the package unusable; a warning is a hint for the person who reviews it. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export const error = (rule: string, message: string, at?: Place): Problem => problem('error', rule, message, at);
export const warning = (rule: string, message: string, at?: Place): Problem => problem('warning', rule, message, at);

const problem = (severity: Problem['severity'], rule: string, message: string, at?: Place): Problem =>
  at ? { rule, severity, message, line: at.line, column: at.column } : { rule, severity, message };
