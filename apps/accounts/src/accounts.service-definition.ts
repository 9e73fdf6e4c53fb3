import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { defineService } from '@skillgate/service-kit/service-definition';
import { AccountsModule } from './accounts.module.js';
import { accountsConfig } from './config.js';

export const accountsService = defineService({
  name: 'accounts',
  edges: accountsEdges,
  config: accountsConfig,
  module: (kit) => AccountsModule.on(kit),
});
