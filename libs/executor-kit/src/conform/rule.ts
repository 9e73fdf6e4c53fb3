import type { Examined } from './examined.js';

/** What an executor did that a rule forbids, or did not do that it demands. */
export class Broken extends Error {
  constructor(
    readonly sent: string,
    readonly came: string,
    readonly advice: string,
  ) {
    super(`${sent} -> ${came}`);
  }
}

/** The plan or the way in which the suite was started does not allow to try a rule. */
export class NotTried extends Error {}

export interface Rule {
  readonly rule: string;
  readonly title: string;
  /** Resolves when the rule is kept. @throws `Broken`, `NotTried` */
  try(executor: Examined): Promise<void>;
}
