import { executorService } from '@skillgate/executor-kit/serve-executor';
import type { ServiceDefinition } from '@skillgate/service-kit/service-definition';
import { executors, platformServices } from '@skillgate/standalone/house-services';

/** Every service that must be deployed, by the folder of its app, which also names its image, container and Deployment. */
export const deployed: readonly { app: string; definition: ServiceDefinition }[] = [
  ...platformServices.map((definition) => ({ app: definition.name, definition })),
  ...executors.map(({ app, executor }) => ({ app, definition: executorService(executor) })),
];
