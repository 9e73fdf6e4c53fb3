// Proves: a profile needs each integration only for the tools that use it, on the shipped profiles, with every tool approved and alive.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decidePolicy } from '@skillgate/gating/tool-policy';
import { openTools } from './open-tools.js';
import { parseProfiles } from './profiles.js';
import { recheckReceipt } from './recheck-receipt.js';
import { servedTools } from './served-tools.js';
import { approvedTool, entitled, instanceOf, receiptFor } from './spec-support/facts.js';

const profiles = parseProfiles(readFileSync(new URL('../profiles.yaml', import.meta.url), 'utf8'));
const approved = profiles.all.flatMap(({ name, tools }) => tools.map((tool) => approvedTool({ executor: name.toLowerCase(), tool, profile: name })));
const served = servedTools(approved, [...new Set(approved.map(({ executor }) => executor))].map((executor) => instanceOf(executor, approved.filter((one) => one.executor === executor))));

/** First words of what opened, and of what is withheld with the reason. */
function open(integrations: string[], requires: Parameters<typeof receiptFor>[0]) {
  const entitlements = entitled({ capabilities: ['tools'], integrations });
  const facts = { profiles, entitlements, served, policyOf: () => decidePolicy('read', {}) };
  const { openings, withheld } = openTools([receiptFor(requires)], { ...facts, unmet: (receipt) => recheckReceipt(receipt, entitlements) });
  const family = (name: string) => name.split('/').at(-1)!.split('_')[0]!;
  return {
    opened: [...new Set(openings.map(({ tool }) => family(tool.tool)))],
    shut: [...new Set(withheld.map(({ name, slug, message }) => `${family(name)}: ${slug}: ${/Not connected: ([\w, ]+)\./.exec(message)?.[1] ?? ''}`))],
  };
}

const mail = { profiles: ['google', 'microsoft'], integrations: ['gmail|outlook'] };

describe('with several services', () => {
  it.each<[string, string[], Parameters<typeof receiptFor>[0], string[], string[]]>([
    ['Gmail alone opens the Gmail tools and says why the others are shut', ['gmail'], { profiles: ['google'] }, ['gmail'], ['drive: integration-missing: drive', 'calendar: integration-missing: calendar']],
    ['Drive alone opens the Drive tools', ['drive'], { profiles: ['google'] }, ['drive'], ['gmail: integration-missing: gmail', 'calendar: integration-missing: calendar']],
    ['Gmail and the calendar leave out Drive alone', ['gmail', 'calendar'], { profiles: ['google'] }, ['gmail', 'calendar'], ['drive: integration-missing: drive']],
    ['all of Google leaves out nothing', ['gmail', 'drive', 'calendar'], { profiles: ['google'] }, ['gmail', 'drive', 'calendar'], []],
    ['nothing of Google shuts the profile, and names the three', [], { profiles: ['google'] }, [], ['google: integration-missing: gmail']],
    ["Microsoft's calendar is not Google's", ['ms_calendar'], { profiles: ['google', 'microsoft'] }, ['mscalendar'], ['google: integration-missing: gmail', 'outlook: integration-missing: outlook', 'onedrive: integration-missing: onedrive']],
    ['a mail skill with Outlook opens Outlook, and Google stays shut with its reasons', ['outlook'], mail, ['outlook'], ['google: integration-missing: gmail', 'onedrive: integration-missing: onedrive', 'mscalendar: integration-missing: ms_calendar']],
    ["the author's word that one of two must be there shuts all, whatever else is connected", ['drive', 'onedrive'], mail, [], ['google: integration-missing: ', 'microsoft: integration-missing: ']],
    ['a skill that needs two services with one of them opens nothing', ['gmail'], { profiles: ['google', 'slack'], integrations: ['gmail', 'slack'] }, [], ['google: integration-missing: ', 'slack: integration-missing: ']],
    ['a tool that a skill names alone needs its own integration and no other', ['gmail'], { tools: ['gmail_send_message', 'drive_read_file'] }, ['gmail'], ['drive: integration-missing: drive']],
  ])('%s', (_sentence, integrations, requires, opened, shut) => {
    expect(open(integrations, requires)).toMatchObject({ opened, shut });
  });

  it.each(profiles.all.flatMap(({ name, integrations }) => (integrations.length > 0 ? [[name, integrations] as const] : [])))(
    '%s opens for each set of its integrations exactly the tools that need no other',
    (name, integrations) => {
      const profile = profiles.get(name)!;
      for (let bits = 0; bits < 2 ** integrations.length; bits++) {
        const connected = integrations.filter((_, n) => bits & (1 << n));
        const entitlements = entitled({ capabilities: ['tools'], integrations: connected });
        const { openings, withheld } = openTools([receiptFor({ profiles: [name] })], { profiles, entitlements, served, policyOf: () => decidePolicy('read', {}), unmet: () => undefined });
        const wanted = profile.tools.filter((tool) => profiles.integrationsOf(profile, tool).every((one) => connected.includes(one)));
        expect(openings.map(({ tool }) => tool.tool)).toEqual(wanted);
        expect(wanted.length === profile.tools.length || withheld.length > 0).toBe(true);
      }
    },
  );
});
