import type { Kit } from '@skillgate/service-kit/service-definition';
import type { Desk } from './answer-call.js';
import { openArtifacts } from './artifacts.js';
import { makeProgress } from './progress.js';

/** What a tool gets: the ids of the grant, the account's files, a voice to the user. */
export function openContext({ wire, log }: Pick<Kit, 'wire' | 'log'>, executor: string): Desk['openContext'] {
  return ({ callId, grant, tool }, { account, user, chat, turn }, signal) => ({
    account,
    user,
    chat,
    turn,
    callId,
    signal,
    artifacts: openArtifacts(wire, grant, signal),
    progress: makeProgress({ callId, tool }, (said) => {
      try {
        wire.publishProgress(executor, turn, said);
      } catch (error) {
        log.warn({ err: error, tool }, 'a progress message was not sent');
      }
    }),
    log: log.child({ tool, callId }),
  });
}
