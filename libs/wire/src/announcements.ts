import { announceSubject, progressSubject, type ToolProgress, toolProgress } from '@skillgate/contracts/tool-call';
import { type Announcement, announcement, announcementFrame, type HeardAnnouncement, readAnnouncement } from '@skillgate/contracts/tool-manifest';
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

/** A tool that is no manifest leaves the others of its announcement be. */
export const subscribeAnnouncements = (connection: Connection, onAnnouncement: (said: HeardAnnouncement) => void): Subscribed =>
  subscribeLive(connection, announceSubject('*'), announcementFrame, (said, subject) => {
    const executor = subject.split('.')[2];
    if (said.executor === executor) onAnnouncement(readAnnouncement(said));
    else connection.log.error({ executor, said: said.executor }, 'an announcement in the name of another executor was dropped');
  });
