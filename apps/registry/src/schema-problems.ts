// TEMPORARY until @skillgate/prompt/schema-dialect appears
export function schemaProblems(schema: Record<string, unknown>): string[] {
  return 'anyOf' in schema ? ['anyOf may not stand at the root'] : [];
}
