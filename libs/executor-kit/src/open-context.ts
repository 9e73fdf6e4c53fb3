import type { Kit } from '@skillgate/service-kit/service-definition';
import type { Desk } from './answer-call.js';
import { openArtifacts } from './artifacts.js';
import { leaseCredentials } from './lease-credential.js';
import { makeProgress } from './progress.js';
import { Scrub } from './scrub.js';

/** What a tool gets: the ids of the grant, the account's files and credentials, a voice to the user. */
export function openContext({ wire, log }: Pick<Kit, 'wire' | 'log'>, executor: string): Desk['openContext'] {
  return ({ callId, grant, tool }, { account, user, chat, turn }, signal) => {
    const scrub = new Scrub();
    return {
      account,
      user,
      chat,
      turn,
      callId,
      signal,
      artifacts: openArtifacts(wire, grant, signal),
      credential: leaseCredentials(wire, grant, signal, (credential) => scrub.add(credential.secrets(), credential.toJSON())),
      progress: makeProgress({ callId, tool }, (said) => {
        try {
          wire.publishProgress(executor, turn, scrub.value(said));
        } catch (error) {
          log.warn({ err: error, tool }, 'a progress message was not sent');
        }
      }),
      log: scrub.log(log.child({ tool, callId })),
      scrub,
    };
  };
}
