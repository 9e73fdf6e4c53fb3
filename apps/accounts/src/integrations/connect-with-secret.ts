import type { Actor } from '@skillgate/contracts/audit';
import type { IntegrationView } from '@skillgate/contracts/calls/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import { isConnectable, requireSealed, type IntegrationsRoom } from './integrations-room.js';
import type { SecretProvider } from './provider-table.js';
import { shown } from './oauth-room.js';
import { requireProvider, viewIntegration } from './view-integration.js';

/** An API key or an app password, exactly as it was entered. Whether it works is first known when a tool uses it. */
export async function connectWithSecret(
  room: IntegrationsRoom,
  asked: { account: string; integration: string; fields: Record<string, string> },
  actor: Actor,
): Promise<IntegrationView> {
  const { account, integration, fields } = asked;
  const provider = requireProvider(room.table, integration);
  if (provider.kind === 'oauth2') {
    throw refuse('wrong-kind', `${provider.title} is connected by signing in there; begin a connection instead.`);
  }
  requireSealed(room, provider.title);
  refuseOtherFields(provider, fields);
  refuseUnsendable(provider, fields);
  const named = provider.label && 'field' in provider.label ? fields[provider.label.field] : undefined;
  const label = named === undefined ? null : shown(named);
  await room.integrations.connect(account, actor, { integration, kind: provider.kind, secret: { fields }, scopes: [], label });
  const state = (await room.integrations.states(account)).find(({ name }) => name === integration)!;
  return viewIntegration(provider, state, isConnectable(room, provider));
}

/** Names alone are quoted: a secret may stand under the wrong one. */
function refuseOtherFields(provider: SecretProvider, given: Record<string, string>): void {
  const wanted = provider.fields.map(({ name }) => name);
  const missing = wanted.filter((name) => !given[name]?.trim());
  const others = Object.keys(given).filter((name) => !wanted.includes(name));
  if (missing.length === 0 && others.length === 0) return;
  const said = [missing.length > 0 && `missing: ${missing.join(', ')}`, others.length > 0 && `unknown: ${others.length} more`].filter(
    Boolean,
  );
  throw refuse('invalid-fields', `${provider.title} takes ${wanted.join(' and ')}; ${said.join('; ')}.`, { missing, wanted });
}

/** A key goes into a header as it is (RFC 9110, 5.5): visible ASCII, blanks only inside. */
const sendable = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** A line break that came along with a copy would end a header, and the next line would be another. */
function refuseUnsendable(provider: SecretProvider, given: Record<string, string>): void {
  const bad = Object.keys(given).filter((name) =>
    provider.kind === 'api-key' ? !sendable.test(given[name]!) : /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}]/u.test(given[name]!),
  );
  if (bad.length === 0) return;
  const what = provider.kind === 'api-key' ? 'a blank at an end, a line break or a character that no key has' : 'a line break or a control character';
  throw refuse('invalid-fields', `${bad.join(' and ')}: holds ${what}. Copy it again, without that.`, { unsendable: bad });
}
