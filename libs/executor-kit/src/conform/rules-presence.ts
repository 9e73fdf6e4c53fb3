import { setTimeout as pause } from 'node:timers/promises';
import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import { heartbeatMs } from '@skillgate/contracts/tool-manifest';
import { Broken, NotTried, type Rule } from './rule.js';

/** What it says of itself without being asked. */
export const presenceRules: readonly Rule[] = [
  {
    rule: 'announces',
    title: 'It announces itself and its tools on announce.v1.<name>, in the form of the contract.',
    async try({ announcements, announceWithinMs, name, peers, plan, subjects }) {
      const began = Date.now();
      const ended = () => subjects[0]?.ended?.();
      // A command that ends well may have put the executor into the background; one that fails has not.
      const failed = () => ended() !== undefined && ended()?.code !== 0;
      while (announcements.length === 0 && !failed() && Date.now() < began + announceWithinMs) await pause(50);
      const [first] = announcements;
      if (!first) {
        const nothing = peers.complaints.at(-1) ?? `nothing in ${((Date.now() - began) / 1000).toFixed(0)} s`;
        const end = ended();
        const came = end ? `${nothing}; the command has ended ${end.code === null ? 'by a signal' : `with exit code ${end.code}`}` : nothing;
        if (end) throw new Broken(`the suite listened on announce.v1.${name}`, came, 'Give a command that runs until SIGTERM; what it wrote stands above, on stderr.');
        throw new Broken(`the suite listened on announce.v1.${name}`, came, 'Publish executor, version, instance, state and tools there, right after the tools are heard.');
      }
      if (first.state !== 'serving') throw new Broken('the suite listened', `a first state "${first.state}"`, 'Begin with the state "serving".');
      if (!first.tools.some((tool) => tool.name === plan.call.tool)) {
        const names = first.tools.map((tool) => tool.name).join(', ');
        throw new Broken('the suite listened', `the tools ${names}`, `Announce "${plan.call.tool}", which the plan calls, or correct the plan.`);
      }
    },
  },
  {
    rule: 'digests',
    title: 'Each announced tool has a name of its own, and the digest that belongs to what is announced.',
    async try({ manifest }) {
      if (!manifest) throw new NotTried('It was never announced.');
      const names = manifest.tools.map(({ name }) => name);
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      if (twice) throw new Broken('the suite listened', `"${twice}" twice in one announcement`, 'Give each tool a name of its own.');
      for (const tool of manifest.tools) {
        const digest = manifestDigest(tool);
        if (digest === tool.schemaDigest) continue;
        const how = 'Count SHA-256 over the JSON of {description, effect, inputSchema, name, profile} with the keys of every object sorted and no white space.';
        throw new Broken('the suite counted the digest again', `${tool.name}: announced ${tool.schemaDigest}, counted ${digest}`, how);
      }
    },
  },
];

/** Tried late, when the suite has listened for a while. */
export const heartbeatRules: readonly Rule[] = [
  {
    rule: 'heartbeats',
    title: `It announces itself again every ${heartbeatMs / 1000} s, under the same instance and with the same tools.`,
    async try({ announcements, manifest, peers }) {
      if (!manifest) throw new NotTried('It was never announced.');
      const ofFirst = () => announcements.filter(({ instance }) => instance === announcements[0]!.instance);
      for (const end = Date.now() + heartbeatMs * 3; ofFirst().length < 3 && Date.now() < end; ) await pause(100);
      const heard = ofFirst();
      const gaps = heard.slice(1).map(({ at }, n) => at - heard[n]!.at);
      const sent = `the suite listened for ${((Date.now() - announcements[0]!.at) / 1000).toFixed(0)} s`;
      if (heard.length < 3) throw new Broken(sent, `${heard.length} announcements of instance ${heard[0]!.instance}`, `Repeat the announcement every ${heartbeatMs} ms with the same instance.`);
      const longest = Math.max(...gaps);
      if (longest > heartbeatMs * 1.5) throw new Broken(sent, `${longest} ms of silence`, `Repeat the announcement every ${heartbeatMs} ms, also while tools work: three missed ones make it gone.`);
      const complaint = peers.complaints.find((said) => said.includes('announce.v1.'));
      if (complaint) throw new Broken(sent, complaint, 'Keep every announcement in the form of the contract.');
    },
  },
  {
    rule: 'progress',
    title: 'What it says of its progress is in the form of the contract, and about turns that it was called in.',
    async try({ progress, turns, peers, name }) {
      const complaint = peers.complaints.find((said) => said.includes('progress.v1.'));
      const sent = `the suite listened on progress.v1.${name}.*`;
      if (complaint) throw new Broken(sent, complaint, 'Send callId, tool, message of at most 300 characters, and fraction from 0 to 1 if any.');
      if (progress.length === 0) throw new NotTried('No tool of the plan told of progress; none has to.');
      const stray = progress.find(({ turnId }) => !turns.has(turnId));
      if (stray) throw new Broken(sent, `progress of turn ${stray.turnId}`, 'End the subject in the turn of the call’s grant.');
    },
  },
];
