/** A JSON Schema document, or any object whose keys nobody has looked at yet. */
export type JsonSchema = Record<string, unknown>;
