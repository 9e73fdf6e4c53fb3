export type Schema = Record<string, unknown>;

/** Why a schema cannot be used, in one sentence that says what to do. */
export class SchemaProblem extends Error {}
