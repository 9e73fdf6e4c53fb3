import { announceSubject, progressSubject, type ToolProgress, toolProgress } from '@skillgate/contracts/tool-call';
import { type Announcement, announcement } from '@skillgate/contracts/tool-manifest';
import type { Connection } from './connection.js';
import { publishLive, requireToken, subscribeLive, type Subscribed } from './live-subjects.js';

/** What executors say without being asked. @returns whether it was sent */
export function publishProgress(connection: Connection, executor: string, turnId: string, progress: ToolProgress): boolean {
  const subject = progressSubject(requireToken(executor, 'executor'), requireToken(turnId, 'turn'));
  return publishLive(connection, subject, toolProgress, progress);
}

export const subscribeProgress = (connection: Connection, onProgress: (progress: ToolProgress, from: { executor: string; turnId: string }) => void): Subscribed =>
  subscribeLive(connection, progressSubject('*', '*'), toolProgress, (progress, subject) => {
    const [, , executor = '', turnId = ''] = subject.split('.');
    onProgress(progress, { executor, turnId });
  });

/** @returns whether it was sent */
export const announce = (connection: Connection, said: Announcement): boolean =>
  publishLive(connection, announceSubject(requireToken(said.executor, 'executor')), announcement, said);

export const subscribeAnnouncements = (connection: Connection, onAnnouncement: (said: Announcement) => void): Subscribed =>
  subscribeLive(connection, announceSubject('*'), announcement, (said, subject) => {
    const executor = subject.split('.')[2];
    if (said.executor === executor) onAnnouncement(said);
    else connection.log.error({ executor, said: said.executor }, 'an announcement in the name of another executor was dropped');
  });
