import type { IntegrationView } from '@skillgate/contracts/calls/integrations';
import type { Response } from 'express';
import type { DescribedError } from '../errors/describe-error.js';

/**
 * Says whose account was connected to what: who did not begin this connection sees that it is not theirs, and how to undo it.
 */
export function connectedPage(response: Response, { title, label, account }: IntegrationView & { account: string }): void {
  const as = label ? ` as ${label}` : '';
  const lines = [
    `${title} is connected${as}, for the Skillgate account ${account}. You may close this page.`,
    'If you did not begin this, withdraw the access in the settings of the outside system.',
  ];
  send(response, 200, 'Connected', lines);
}

export function failedPage(response: Response, { status, message, correlationId }: DescribedError): void {
  send(response, status, 'Not connected', [message, ...(correlationId ? [`Correlation id: ${correlationId}`] : [])]);
}

function send(response: Response, status: number, title: string, lines: readonly string[]): void {
  const body = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response
    .status(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>\n${body}\n</html>\n`);
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark]!);
