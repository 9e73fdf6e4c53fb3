/** At most 63 bytes, PostgreSQL's limit: it cuts longer names without a word. */
const plainName = /^[a-z_][a-z0-9_]{0,62}$/;

/** A name for use in SQL text, quoted. @throws for anything but a plain lower-case name */
export function identifier(name: string): string {
  if (!plainName.test(name)) {
    throw new Error(`"${name}" is no name for SQL here: lower-case letters, digits and underscores, at most 63, no digit first`);
  }
  return `"${name}"`;
}
