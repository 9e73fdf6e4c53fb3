import { describe, expect, it } from '@jest/globals';
import type { ReceiptClaims } from '@skillgate/contracts/tokens';
import type { LivingInstance } from './announcements.js';
import type { ApprovedTool } from './approved-tool.js';
import { decidePolicy, type PolicyWords } from '@skillgate/gating/tool-policy';
import { grantClaims } from './grant-claims.js';
import { openTools } from './open-tools.js';
import { parseProfiles } from './profiles.js';
import { announcedTool, approvedTool, entitled, instanceOf, receiptFor, turnTicket } from './spec-support/facts.js';
import { servedTools } from './served-tools.js';
import { maxOpenTools } from './tool-room.js';
import { withhold } from './tool-standing.js';

const profiles = parseProfiles(`profiles:
  - { name: docs, title: D, capability: tools, groups: [{ tools: [docs_write_text, docs_read_text] }] }
  - { name: workspace, title: W, capability: sandbox, groups: [{ tools: [workspace_run_command] }] }
  - name: google
    title: G
    capability: tools
    groups:
      - { integration: gmail, tools: [gmail_send_message] }
      - { integration: drive, tools: [drive_list_files] }
  - { name: slack, title: S, capability: tools, groups: [{ integration: slack, tools: [slack_send_message, slack_read_thread] }] }`);

const docs = [approvedTool(), approvedTool({ tool: 'docs_write_text', effect: 'write' })];
const google = [
  approvedTool({ executor: 'google', tool: 'gmail_send_message', profile: 'google', effect: 'external' }),
  approvedTool({ executor: 'google', tool: 'drive_list_files', profile: 'google' }),
];

const allowAll = () => decidePolicy('read', {});

interface Scene {
  receipts?: ReceiptClaims[];
  approved?: ApprovedTool[];
  living?: LivingInstance[];
  capabilities?: string[];
  integrations?: string[];
  policy?: PolicyWords;
}

function open(scene: Scene) {
  const { receipts = [receiptFor({ profiles: ['docs'] })], approved = docs, capabilities = ['tools'], integrations = [] } = scene;
  const executors = [...new Set(approved.map((one) => one.executor))];
  const served = (executor: string) => approved.filter((one) => one.executor === executor);
  const instances = scene.living ?? executors.map((executor) => instanceOf(executor, served(executor)));
  const { openings, profiles: opened, withheld } = openTools(receipts, {
    profiles,
    policyOf: (_profile, effect) => decidePolicy(effect, scene.policy ?? {}),
    entitlements: entitled({ capabilities, integrations }),
    served: servedTools(approved, instances),
    unmet: () => undefined,
  });
  return { tools: openings.map((one) => one.tool.tool), opened, withheld, reasons: withheld.map((one) => `${one.name}: ${one.slug}`) };
}

describe('loaded skills open', () => {
  it('the tools of their profiles in the order of the profile', () => {
    expect(open({}).tools).toEqual(['docs_write_text', 'docs_read_text']);
  });

  it('nothing at all without a receipt', () => {
    expect(open({ receipts: [] })).toMatchObject({ tools: [], opened: [], withheld: [] });
  });

  it('a tool that only an approval put into the profile, behind the named ones', () => {
    const joined = approvedTool({ tool: 'docs_count_words' });
    expect(open({ approved: [joined, ...docs] }).tools).toEqual(['docs_write_text', 'docs_read_text', 'docs_count_words']);
  });

  it('profiles in the order of the receipts, each once, under the skill that came first', () => {
    const later = receiptFor({ profiles: ['google', 'docs'] }, { skill: 'mail-merge' });
    const scene = { approved: [...docs, ...google], integrations: ['gmail', 'drive'] };
    const first = open({ ...scene, receipts: [receiptFor({ profiles: ['docs'] }), later] });
    expect(first.opened).toEqual([
      { name: 'docs', skill: 'briefing-memo@1.0.0' },
      { name: 'google', skill: 'mail-merge@1.0.0' },
    ]);
    expect(first.tools).toEqual(['docs_write_text', 'docs_read_text', 'gmail_send_message', 'drive_list_files']);
    expect(first.withheld).toEqual([]);
  });

  it('one tool alone where the skill names a tool and not its profile', () => {
    expect(open({ receipts: [receiptFor({ tools: ['docs_read_text'] })] })).toMatchObject({ tools: ['docs_read_text'], opened: [] });
  });
});

describe('what does not open is withheld with the reason:', () => {
  it.each<[string, Scene, string]>([
    ['a profile that is not in profiles.yaml', { receipts: [receiptFor({ profiles: ['payroll'] })] }, 'payroll: unknown-profile'],
    ['a profile without the capability', { receipts: [receiptFor({ profiles: ['workspace'] })] }, 'workspace: capability-missing'],
    ['a profile that nobody serves', { receipts: [receiptFor({ profiles: ['slack'] })], integrations: ['slack'] }, 'slack: unserved'],
    ['a tool that the skill names and nobody knows', { receipts: [receiptFor({ tools: ['tea_make'] })] }, 'tea_make: unserved'],
    ['a profile whose executor went away', { living: [] }, 'docs: executor-away'],
  ])('%s', (_, scene, reason) => {
    expect(open(scene)).toMatchObject({ tools: [], reasons: [reason] });
  });

  it('only the Drive tools while Drive alone is not connected', () => {
    const scene = { receipts: [receiptFor({ profiles: ['google'] })], approved: google, integrations: ['gmail'] };
    expect(open(scene)).toMatchObject({ tools: ['gmail_send_message'], reasons: ['google/drive_list_files: integration-missing'] });
  });

  it('one tool that an executor stopped announcing', () => {
    expect(open({ living: [instanceOf('docs', [docs[0]!])] })).toMatchObject({
      tools: ['docs_read_text'],
      reasons: ['docs/docs_write_text: executor-away'],
    });
  });

  it('a tool that announces another schema than the approved one', () => {
    const tools = [announcedTool({ effect: 'external' }), announcedTool({ name: 'docs_write_text', effect: 'write' })];
    const changed = { ...instanceOf('docs', []), tools };
    expect(open({ living: [changed] })).toMatchObject({ tools: ['docs_write_text'], reasons: ['docs/docs_read_text: not-approved'] });
  });

  it('an approved tool of another executor that announces the same name and digest', () => {
    expect(open({ living: [instanceOf('rival', docs)] }).tools).toEqual([]);
  });

  it('a tool that is announced and never was approved', () => {
    expect(open({ approved: [docs[1]!], living: [instanceOf('docs', docs)] }).reasons).toEqual(['docs/docs_read_text: not-approved']);
  });

  it('a tool of the profile that was approved for another profile', () => {
    const scene = open({ approved: [approvedTool({ profile: 'slack' }), docs[1]!] });
    expect(scene).toMatchObject({ tools: ['docs_write_text'], reasons: ['docs/docs_read_text: not-approved'] });
  });

  it('a quarantined announcement, even with the approved digest', () => {
    const { tools, ...instance } = instanceOf('docs', docs);
    const bad = tools.map((tool) => ({ ...tool, fault: { slug: 'tool-quarantined' as const, reason: 'bad' } }));
    expect(open({ living: [{ ...instance, tools: bad }] }).tools).toEqual([]);
  });

  it('everything of a skill that may no longer open anything', () => {
    const facts = { profiles, policyOf: allowAll, entitlements: entitled(), served: servedTools(docs, [instanceOf('docs', docs)]) };
    const { openings, withheld } = openTools([receiptFor({ profiles: ['docs'] })], {
      ...facts,
      unmet: () => withhold('skill-never', 'The operator switched this skill off.').withheld,
    });
    expect(openings).toEqual([]);
    expect(withheld).toEqual([{ name: 'docs', slug: 'skill-never', message: 'The operator switched this skill off.' }]);
  });

  it('a profile that no longer fits beside what is open, as a whole, while a smaller one still opens', () => {
    const crowd = (executor: string, profile: string, count: number) =>
      Array.from({ length: count }, (_, n) => approvedTool({ executor, profile, tool: `${executor}_do_${n}` }));
    const scene = open({
      receipts: [receiptFor({ profiles: ['docs', 'google', 'slack'] })],
      approved: [...crowd('docs', 'docs', maxOpenTools - 5), ...crowd('google', 'google', 6), ...crowd('slack', 'slack', 5)],
      integrations: ['gmail', 'drive', 'slack'],
    });
    expect(scene.tools).toHaveLength(maxOpenTools);
    expect(scene.opened.map((one) => one.name)).toEqual(['docs', 'slack']);
    expect(scene.reasons).toContain('google: too-many-tools');
  });
});

describe('a policy', () => {
  const withGoogle = { receipts: [receiptFor({ profiles: ['google'] })], approved: google, integrations: ['gmail', 'drive'] };

  it.each<[string, Scene, string[], string[]]>([
    ['of deny shuts the tools of that effect and no other', { ...withGoogle, policy: { operator: { external: 'deny' } } }, ['drive_list_files'], ['google/gmail_send_message: policy-denies']],
    ['of confirm opens them, each call for its user to approve', { ...withGoogle, policy: { profile: { external: 'confirm' } } }, ['gmail_send_message', 'drive_list_files'], []],
    ['shuts a profile of which it leaves nothing, and says so once', { policy: { admin: { read: 'deny', write: 'deny' } } }, [], ['docs: policy-denies']],
    ['for another effect changes nothing', { policy: { operator: { external: 'deny' } } }, ['docs_write_text', 'docs_read_text'], []],
    ['shuts a tool that a skill names without its profile', { receipts: [receiptFor({ tools: ['docs_read_text'] })], policy: { admin: { read: 'deny' } } }, [], ['docs/docs_read_text: policy-denies']],
    ['is no reason where the integration is missing anyway', { ...withGoogle, integrations: ['drive'], policy: { operator: { external: 'deny' } } }, ['drive_list_files'], ['google/gmail_send_message: integration-missing']],
    ['is said before an executor that is away: its return would open nothing', { policy: { admin: { read: 'deny', write: 'deny' } }, living: [] }, [], ['docs: policy-denies']],
  ])('%s', (_, scene, tools, reasons) => {
    expect(open(scene)).toMatchObject({ tools, reasons });
  });

  it('stands in the reason, with whose word it is', () => {
    const { withheld } = open({ ...withGoogle, policy: { admin: { external: 'deny' } } });
    expect(withheld).toEqual([{ name: 'google/gmail_send_message', slug: 'policy-denies', policy: 'deny', message: expect.stringContaining("the account's admin") }]);
  });
});

describe('a tool is granted', () => {
  it('exactly when tier, integration, receipt, approval, policy and a living announcement of that digest all say so', () => {
    const tool = google[0]!;
    let granted = 0;
    for (let bits = 0; bits < 128; bits += 1) {
      const [capable, connected, loaded, approved, living, sameDigest, allowed] = [1, 2, 4, 8, 16, 32, 64].map((bit) => (bits & bit) > 0);
      const announced = sameDigest ? tool : approvedTool({ ...tool, effect: 'read', schemaDigest: undefined });
      const { openings } = openTools(loaded ? [receiptFor({ profiles: ['google'] })] : [], {
        profiles,
        entitlements: entitled({ capabilities: capable ? ['tools'] : [], integrations: connected ? ['gmail'] : [] }),
        policyOf: (_profile, effect) => decidePolicy(effect, { operator: allowed ? {} : { external: bits % 2 ? 'confirm' : 'deny' } }),
        served: servedTools(approved ? [tool] : [], living ? [instanceOf('google', [announced])] : []),
        unmet: () => undefined,
      });
      const names = grantClaims(openings, turnTicket(), 1, { now: 1_500, life: 60 }, () => 'id').flatMap((grant) => Object.keys(grant.tools));
      expect([bits, names]).toEqual([bits, bits === 127 ? ['gmail_send_message'] : []]);
      // The set shown is the set that may run, at once or with a yes.
      expect(openings.filter(({ policy }) => policy === 'allow').map((opening) => opening.tool.tool)).toEqual(names);
      granted += names.length;
    }
    expect(granted).toBe(1);
  });
});
