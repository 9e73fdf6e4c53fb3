import type { LintVocabulary, SkillPackage } from './finding.js';

/** The house of the examples. */
export const house: LintVocabulary = {
  capabilities: ['tools', 'sandbox'],
  integrations: ['gmail', 'slack'],
  profiles: ['docs', 'slack'],
  tools: ['docs_read_text', 'docs_generate_docx', 'slack_send_message', 'load_skill'],
  profileTools: { docs: ['docs_read_text', 'docs_generate_docx'], slack: ['slack_send_message'] },
  baseTools: ['load_skill'],
};

export const goodDescription =
  'Turn the transcript of a board meeting into minutes with decisions, owners and dates. Use for "write up our call". Not for articles.';

/** Instructions of about 1,000 tokens. */
export const goodBody = Array.from(
  { length: 40 },
  (_, n) => `${n + 1}. Read part ${n + 1} of the transcript, mark each decision with its owner and its date, and ask when one of the three is missing.`,
).join('\n');

type Texts = Readonly<Record<string, string | Uint8Array>>;

/** A package from texts by path. */
export const packageOf = (files: Texts, folder = 'minutes'): SkillPackage => ({
  folder,
  files: Object.entries(files).map(([path, content]) => ({ path, bytes: typeof content === 'string' ? Buffer.from(content) : content })),
});

/** A whole SKILL.md in which one part is another: the header's lines, or the body. */
export const skillMd = ({
  name = 'minutes',
  description = goodDescription,
  more = '',
  header = `name: ${name}\ndescription: ${JSON.stringify(description)}${more && `\n${more}`}`,
  body = goodBody,
}: { name?: string; description?: string; more?: string; header?: string; body?: string } = {}): string => `---\n${header}\n---\n${body}\n`;

/** Beside the package under test: what it may resemble and what its near misses may name. */
export const neighbour = packageOf(
  {
    'SKILL.md': skillMd({
      name: 'invoice-check',
      description: 'Check supplier invoices for wrong amounts and missing tax numbers. Use for "is this bill right". Not for contracts.',
    }),
  },
  'invoice-check',
);
