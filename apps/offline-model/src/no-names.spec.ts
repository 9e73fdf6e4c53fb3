import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const skills = readdirSync(join(root, 'skills'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const tools = skills.flatMap((slug) => {
  const header = readFileSync(join(root, 'skills', slug, 'SKILL.md'), 'utf8').split('\n---')[0]!;
  return (/skillgate\.tools: (.+)/.exec(header)?.[1] ?? '').split(/[\s,]+/).filter(Boolean);
});

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(?:spec|fixtures)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }));

describe('the code of the offline stand-in', () => {
  it('knows no skill by name', () => {
    expect(skills.length).toBeGreaterThan(2);
    expect(mentions(skills)).toEqual([]);
  });

  it('knows no tool by name', () => {
    const known = [...tools, 'load_skill', 'list_skills', 'call_tool', 'search_chats', 'fetch_image'];
    expect(tools.length).toBeGreaterThan(3);
    expect(mentions(known)).toEqual([]);
  });
});

function mentions(names: string[]): string[] {
  return sources.flatMap(({ path, text }) => names.filter((name) => text.includes(name)).map((name) => `${path}: ${name}`));
}
