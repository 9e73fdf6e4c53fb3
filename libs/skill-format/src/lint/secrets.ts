/** Shapes of credentials, as their issuers document them: a prefix of its own, so that prose is never taken for one. */
const shapes: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b/g],
  ['GitLab token', /\bglpat-[\w-]{20,255}/g],
  ['Slack token', /\bx(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,255}/g],
  ['Slack webhook', /hooks\.slack\.com\/(?:services|workflows)\/[A-Z0-9]{5,20}\/[A-Z0-9]{5,20}\/[A-Za-z0-9]{16,}/g],
  ['Google key', /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})/g],
  ['OpenAI key', /\bsk-(?:[A-Za-z0-9]{48}\b|(?:proj|svcacct|admin)-[\w-]{40,})/g],
  ['Anthropic key', /\bsk-ant-[a-z]{2,10}\d{2}-[\w-]{40,}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['Hugging Face token', /\bhf_[A-Za-z]{34}\b/g],
  ['Notion token', /\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b/g],
  ['SendGrid key', /\bSG\.[\w-]{22}\.[\w-]{43}/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['Telegram bot token', /\b\d{8,10}:AA[\w-]{33}\b/g],
  ['Azure storage key', /AccountKey=[A-Za-z0-9+/]{86}==/g],
  ['JSON web token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  ['password in an address', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@<>"'`{}$*]{1,100}:[^\s/:@<>"'`{}$*]{4,100}@[\w.-]/gi],
  ['password or key in an assignment', /(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s{0,3}[:=]\s{0,3}["'](?=[^"'\s]*\d)(?=[^"'\s]*[A-Za-z])[^"'\s<>{}$]{12,200}["']/gi],
];

// What people write where a key would stand.
const placeholder = /example|your|placeholder|dummy|changeme|redacted|x{5,}|\*{3,}|\.{3}|0{8,}|123456/i;

export interface FoundSecret {
  readonly kind: string;
  readonly index: number;
  /** The first characters; the rest is never shown. */
  readonly hint: string;
}

/** Credentials in a text, in order. A shape is no proof; a match must be looked at, and revoked when it is one. */
export function findSecrets(text: string): FoundSecret[] {
  const found = shapes.flatMap(([kind, pattern]) =>
    Array.from(text.matchAll(pattern))
      .filter(([match]) => !placeholder.test(match))
      .map((match) => ({ kind, index: match.index, hint: `${match[0].slice(0, 6)}…` })),
  );
  return found.sort((a, b) => a.index - b.index);
}
