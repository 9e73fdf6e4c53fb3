import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Examined, type Reply, requireSlug } from './examined.js';
import { Broken, NotTried, type Rule } from './rule.js';

/** Milliseconds in which a call must be answered that was stopped. */
const lastWordMs = 2_000;
const afterMs = 500;

function requireStopped(reply: Reply, slug: string, began: number, advice: string): void {
  const took = Date.now() - began;
  if (reply.ok && took < afterMs) throw new NotTried(`The call "slow" of the plan ended after ${took} ms; name one that works for three seconds.`);
  requireSlug(reply, slug, advice, reply.error?.kind === 'refusal' ? 'refusal' : 'unavailable');
  if (took > afterMs + lastWordMs) throw new Broken(reply.sent, `${slug} after ${took} ms`, `Answer within ${lastWordMs} ms of the stop, also when the tool itself does not listen.`);
}

const kinds = 'A read that was stopped is "unavailable"; of a tool with effects it is a refusal that tells of the doubt.';

/** Deadlines, cancellations and the drain. */
export const stopRules: readonly Rule[] = [
  {
    rule: 'deadline-passed',
    title: 'A call that arrives after its deadline is not run.',
    try: async (executor) => void (await executor.mustRefuse({ deadlineIn: -1_000 }, 'deadline-passed', 'Compare the header "deadline", in milliseconds, with the clock first.', 'unavailable')),
  },
  {
    rule: 'deadline',
    title: 'A call that works when its deadline comes is stopped and answered.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('slow');
      const began = Date.now();
      const reply = await executor.send({ tool, arguments: args, deadlineIn: afterMs });
      requireStopped(reply, 'deadline-passed', began, `Stop the work at the deadline. ${kinds}`);
    },
  },
  {
    rule: 'cancel',
    title: 'A call that its caller cancels is stopped and answered.',
    async try(executor) {
      const { tool, arguments: args } = executor.example('slow');
      const cancelId = randomUUID();
      const began = Date.now();
      const answered = executor.send({ tool, arguments: args, cancelId });
      await pause(afterMs);
      executor.cancel(cancelId);
      requireStopped(await answered, 'cancelled', began, `Hear cancel.v1.<name> in every instance and compare its header "cancel-id" with that of running calls. ${kinds}`);
    },
  },
  {
    rule: 'cancel-stray',
    title: 'A cancellation of a call that it does not run changes nothing.',
    async try(executor) {
      executor.cancel(randomUUID());
      executor.cancel('');
      await executor.mustWork({}, 'Leave other calls alone.');
    },
  },
];

/** The last rule, since nothing can be asked afterwards. */
export const drainRules: readonly Rule[] = [
  {
    rule: 'drain',
    title: 'At SIGTERM it says that it leaves, answers what it has begun, and ends with exit code 0.',
    async try(executor) {
      const [subject] = executor.subjects;
      if (!subject) throw new NotTried('Let the suite start the executor: put its command behind "--".');
      const running = executor.plan.slow && executor.send({ tool: executor.plan.slow.tool, arguments: executor.plan.slow.arguments, waitMs: 30_000 });
      await pause(300); // it has begun
      const sent = running ? 'SIGTERM while a call worked' : 'SIGTERM';
      const code = await within(30_000, stopAll(executor));
      if (code === undefined) throw new Broken(sent, 'it still ran after 30 s', 'End within the time that its orchestrator gives it, commonly 30 s.');
      await pause(100);
      if (!executor.announcements.some(({ state }) => state === 'leaving')) throw new Broken(sent, 'no announcement with the state "leaving"', 'Announce "leaving" before anything else ends, so that no new call is sent here.');
      const reply = await running;
      if (reply && !reply.ok && !reply.error) throw new Broken(reply.sent, reply.came, 'Let running calls end, and answer those that cannot with the slug "draining".');
      if (code !== 0) throw new Broken(sent, `exit code ${code}`, 'End with 0 after a clean drain.');
      const late = await executor.send({ waitMs: 1_000 });
      if (late.ok || late.error) throw new Broken(late.sent, late.came, 'Hear no calls after the drain.');
    },
  },
];

/** The exit code that is not 0, if any. */
async function stopAll(executor: Examined): Promise<number | null> {
  const codes = await Promise.all(executor.subjects.splice(0).map((subject) => subject.stop()));
  return codes.find((code) => code !== 0) ?? codes[0] ?? null;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
