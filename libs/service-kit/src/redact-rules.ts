/**
 * The one list of what never leaves the process in a log line or a span. A rule that is missing here is missing
 * everywhere; add the case to `redact.spec.ts` first.
 */
export const mark = '[redacted]';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words of a key under which everything is a credential. Keys are split at case, dots, hyphens and underscores. */
export const credentialWords = words(
  'authorization auth bearer cookie cookies password passwd pwd passphrase secret secrets token apikey credential credentials ' +
    'grant grants ticket receipt receipts jws jwt jwk',
);

/** `key` alone is mostly an id; behind one of these it is a credential. */
export const keyQualifiers = words('api private signing access encryption master');

/**
 * Words under which texts are what a person, a model or a tool wrote, and numbers are mere counts. `tokens` is here
 * because a list of tokens is a secret and a number of tokens is a fact.
 */
export const contentWords = words('content contents prompt completion messages arguments instructions tokens');

/** A key that ends in one of these tells something about a secret, not the secret: `grant.id`, `content_type`, `tokenHash`. */
export const factWords = words(
  'id ids hash digest type name names kind slug version status state reason count length bytes tokens ms at epoch expires exp ' +
    'index encoding schema',
);

/** Neither quotes nor backslashes: a secret ends where the JSON string around it ends, also when that is escaped once more. */
const rest = String.raw`[^\s"'<>\\]*`;
/** Not in the middle of a word: `task-list` holds no `sk-` key. */
const start = '(?<![A-Za-z0-9])';
/** Names of secrets in text, with what stands before them: `client_secret`. */
const secretName = String.raw`[\w-]{0,40}(?:password|passwd|passphrase|secret|token|(?:api|access|private|signing)[_-]?key)`;
/** Between name and value, quotes of JSON at any depth included. */
const is = String.raw`\\*["']?\s{0,3}[:=]\s{0,3}`;
/** To the closing quote where one was opened, else to the end of the word. */
const value = String.raw`(?:(?<=["'])[^"'\\]{1,4000}|[^\s"'\\,;&)\]}]{1,4000})`;

/**
 * Shapes of secrets in running text. Every repetition that may start at many places is bounded, so that a long text
 * costs linear time.
 */
export const shapes: readonly (readonly [RegExp, string])[] = [
  // PEM blocks, also with their end cut off.
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, mark],
  // The private member of an Ed25519 or P-256 JWK.
  [/(\\*"d\\*"\s{0,3}:\s{0,3}\\*")[\w-]{40,90}/g, `$1${mark}`],
  // user:password@ of databases and brokers, whose passwords may hold any character, and of every other URL.
  [
    new RegExp(String.raw`\b((?:postgres|postgresql|mysql|mongodb|redis|rediss|amqp|nats|tls):\/\/)[^\s"'<>\\]{0,500}@`, 'gi'),
    `$1${mark}@`,
  ],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"'<>\\]{1,500}@/gi, `$1${mark}@`],
  // Queries of URLs, relative ones too; fragments only where they look like parameters (implicit OAuth answers).
  [new RegExp(String.raw`\b(https?:\/\/[^\s"'<>?#\\]{0,2000})\?${rest}`, 'gi'), `$1?${mark}`],
  [new RegExp(String.raw`\?[\w.~%[\]-]{1,64}=${rest}`, 'g'), `?${mark}`],
  [new RegExp(String.raw`(https?:\/\/[^\s"'<>?#\\]{0,2000})#[\w-]{1,64}=${rest}`, 'gi'), `$1#${mark}`],
  // JWS, JWT and JWE: base64url of `{"`. A cut one counts.
  [/(?<![A-Za-z0-9])eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g, mark],
  // Keys with a known beginning: OpenAI-like and ours, Slack, GitHub, Notion, Google, AWS.
  [new RegExp(String.raw`${start}sk[-_][\w-]{4,}`, 'g'), mark],
  [new RegExp(String.raw`${start}(?:xox[a-z]|xapp)-[\w-]{6,}`, 'g'), mark],
  [new RegExp(String.raw`${start}(?:gh[a-z]|github_pat|ntn|secret)_\w{16,}`, 'g'), mark],
  [new RegExp(String.raw`${start}(?:ya29\.[\w-]{10,}|AIza[\w-]{30,}|1\/\/[\w-]{20,}|AKIA[A-Z0-9]{16})`, 'g'), mark],
  // HTTP authentication. `Basic` only with a digit or padding, or "Basic settings" would go.
  [/\b(Bearer)\s{1,3}[\w.~+/=-]{6,}/gi, `$1 ${mark}`],
  [/\b(Basic) (?=[A-Za-z+/]{0,200}[0-9=])[A-Za-z0-9+/]{6,}=*/g, `$1 ${mark}`],
  // Headers written out: the whole value.
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)(\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?)[^"'\\\r\n]{1,4000}/gi, `$1$2${mark}`],
  // `password=…`, `"api_key": "…"`, `client_secret: '…'`.
  [new RegExp(String.raw`\b(${secretName})(${is})(\\*["'])?${value}`, 'gi'), `$1$2$3${mark}`],
];
