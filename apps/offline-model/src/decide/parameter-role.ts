import type { JsonSchema } from '../protocol/chat-request.js';

/** What a parameter wants, as far as its name, description and pattern tell. */
export type ParameterRole = 'artifact' | 'file-name' | 'title' | 'content' | 'offset' | undefined;

export function parameterRole(name: string, schema: JsonSchema): ParameterRole {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  const description = typeof schema.description === 'string' ? schema.description.toLowerCase() : '';
  const items = schema.items as JsonSchema | undefined;
  const patterns = `${String(schema.pattern ?? '')} ${String(items?.pattern ?? '')}`;
  if (/\bartifacts?\b/.test(words) || patterns.includes('art_') || (/\bids?\b/.test(words) && /\bartifact|art_/.test(description)))
    return 'artifact';
  if (/\bfile ?name\b/.test(words) || (words === 'name' && /\bfile\b/.test(description))) return 'file-name';
  if (/\b(?:title|subject|heading|headline)\b/.test(words)) return 'title';
  if (/\b(?:markdown|content|contents|body|text|html)\b/.test(words) && takesText(schema)) return 'content';
  if (/\boffset\b/.test(words)) return 'offset';
  return undefined;
}

function takesText(schema: JsonSchema): boolean {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return (
    schema.enum === undefined &&
    (types.includes('string') || (schema.type === undefined && schema.properties === undefined && schema.items === undefined))
  );
}
