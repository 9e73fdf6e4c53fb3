import { executorService } from '@skillgate/executor-kit/serve-executor';
import type { ServiceDefinition } from '@skillgate/service-kit/service-definition';
import { executors, platformServices } from '@skillgate/standalone/house-services';

/** Secrets of one service that do not end in its name. */
export const ownSecrets: Readonly<Record<string, readonly string[]>> = {
  accounts: ['SKILLGATE_OPERATOR_KEY', 'SKILLGATE_CREDENTIAL_KEYS', 'SKILLGATE_OAUTH_CLIENTS', 'SKILLGATE_OIDC_ISSUERS'],
};

/** Every service that must be deployed, by the folder of its app, which also names its image, container and Deployment. */
export const deployed: readonly { app: string; definition: ServiceDefinition }[] = [
  ...platformServices.map((definition) => ({ app: definition.name, definition })),
  ...executors.map(({ app, executor }) => ({ app, definition: executorService(executor) })),
];
