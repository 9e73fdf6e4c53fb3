import { readFile } from 'node:fs/promises';
import type { Provider as NestProvider, Type } from '@nestjs/common';
import { readIntegrationNames } from '@skillgate/service-kit/integration-names';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { DataSource } from 'typeorm';
import type { AccountsConfig } from '../config.js';
import type { CredentialKeys } from './credential-keys.js';
import { CredentialsStore } from './credentials-store.js';
import { INTEGRATIONS, type IntegrationsRoom } from './integrations-room.js';
import { IntegrationsStore } from './integrations-store.js';
import { LeaseCredential } from './lease-credential.js';
import { OAuthRoom } from './oauth-room.js';
import { PendingStore } from './pending-store.js';
import { parseProviders } from './provider-table.js';
import { ServeBeginConnection } from './serve/begin-connection.js';
import { ServeConnectWithSecret } from './serve/connect-with-secret.js';
import { ServeDisconnectIntegration } from './serve/disconnect-integration.js';
import { ServeFinishConnection } from './serve/finish-connection.js';
import { ServeLeaseCredential } from './serve/lease-credential.js';
import { ServeListIntegrations } from './serve/list-integrations.js';
import { ServeRotateCredentials } from './serve/rotate-credentials.js';

const shippedTable = new URL('../../integrations.yaml', import.meta.url);

/** Controllers and providers of integrations, for the module of accounts. */
export async function integrationParts(kit: Kit<AccountsConfig>): Promise<{ providers: NestProvider[]; controllers: Type[] }> {
  const { config, log, wire } = kit;
  const file = config.SKILLGATE_INTEGRATIONS_FILE;
  const shipped = parseProviders(await readFile(shippedTable, 'utf8'));
  const table = file === undefined ? shipped : parseProviders(await readFile(file, 'utf8'), file, shipped);
  const names = readIntegrationNames(file);
  if (!config.SKILLGATE_CREDENTIAL_KEYS) log.warn('SKILLGATE_CREDENTIAL_KEYS is not set: no integration can be connected');
  const makeRoom = (dataSource: DataSource) => openRoom(kit, { table, names }, dataSource);
  const makeLeases = (room: IntegrationsRoom) => {
    const leases = new LeaseCredential(room, wire);
    kit.onDrain('renewals of credentials', leases.idle);
    return leases;
  };
  return {
    providers: [
      { provide: INTEGRATIONS, inject: [DataSource], useFactory: makeRoom },
      { provide: LeaseCredential, inject: [INTEGRATIONS], useFactory: makeLeases },
    ],
    controllers: [
      ServeListIntegrations,
      ServeBeginConnection,
      ServeFinishConnection,
      ServeConnectWithSecret,
      ServeDisconnectIntegration,
      ServeLeaseCredential,
      ServeRotateCredentials,
    ],
  };
}

function openRoom({ config, log }: Kit<AccountsConfig>, known: Pick<IntegrationsRoom, 'table' | 'names'>, dataSource: DataSource): IntegrationsRoom {
  const oauth = new OAuthRoom(config.SKILLGATE_OAUTH_CLIENTS ?? {});
  const keys: CredentialKeys | undefined = config.SKILLGATE_CREDENTIAL_KEYS;
  if (!keys) return { ...known, oauth, integrations: new IntegrationsStore(dataSource), log };
  const credentials = new CredentialsStore(dataSource, keys);
  const sealed = { keys, credentials, pending: new PendingStore(dataSource, keys) };
  return { ...known, oauth, integrations: new IntegrationsStore(dataSource, credentials), sealed, log };
}
