import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { fetchImage } from './fetch-image.js';

/** The only room that goes to addresses which a model or a user names: it has no credentials and no data, and reaches nothing of the house but NATS. */
export const webExecutor = defineExecutor({ name: 'web', version: '0.1.0', tools: [fetchImage] });
