import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { createCanvas } from './create-canvas.js';
import { createDraft } from './create-draft.js';
import { readCanvas } from './read-canvas.js';
import { readChannel } from './read-channel.js';
import { readProfile } from './read-profile.js';
import { readThread } from './read-thread.js';
import { scheduleMessage } from './schedule-message.js';
import { searchChannels } from './search-channels.js';
import { searchMessages } from './search-messages.js';
import { searchUsers } from './search-users.js';
import { sendMessage } from './send-message.js';
import { updateCanvas } from './update-canvas.js';

/** Slack, with each account's own credential. Calls mostly wait for Slack, so many run at once. */
export const slackExecutor = defineExecutor({
  name: 'slack',
  version: '0.1.0',
  tools: [
    ...[searchMessages, searchChannels, searchUsers, readChannel, readThread, readProfile],
    ...[sendMessage, createDraft, scheduleMessage, readCanvas, createCanvas, updateCanvas],
  ],
  concurrency: 32,
});
