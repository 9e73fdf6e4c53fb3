import { databaseUrlVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';

export const artifactsConfig = z.object({ SKILLGATE_DATABASE_URL: databaseUrlVariable });
export type ArtifactsConfig = z.output<typeof artifactsConfig>;
