import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { prepareCatalog } from '@skillgate/gating/prepare-catalog';
import { resolvePrepared } from '@skillgate/gating/resolve-prepared';
import { resolveSkills } from '@skillgate/gating/resolve';
import { standingOf } from '@skillgate/gating/standing';
import { renderCatalog } from '@skillgate/prompt/catalog-block';
import { generateAccounts, generateFacts } from './generate-accounts.js';
import { generateCatalog } from './generate-skills.js';
import { quantile, rounded } from './quantile.js';

const skillCount = 10_000;
const accountCount = 100_000;
const renderSizes = [55, 500, 10_000];
/** Warm resolves between two of the naive resolver, which takes as long as hundreds of them. */
const stride = 200;

interface GatingReport {
  resolve: { p50Us: number; p99Us: number; naiveP50Us: number; ratio: number; coldP50Us: number; listP50Us: number; prepareMs: number; kinds: number };
  render: { skills: number; ms: number }[];
}

/**
 * One resolve is the decisions on all skills for one account. Warm: some account with the same tier, integrations and model has
 * asked since the catalog changed; its own layers and locks are decided anew each time. Cold: no account of this kind has.
 * The answer holds all decisions; `list` is the time to resolve and copy them all into an array.
 * Naive: the plain resolver, skill by skill, for the same accounts.
 */
export async function benchGating(seconds: number, tell: (line: string) => void): Promise<GatingReport> {
  const skills = generateFacts(skillCount);
  const accounts = generateAccounts(accountCount, skills.map(({ slug }) => slug));
  const started = performance.now();
  const catalog = prepareCatalog(skills);
  const prepareMs = performance.now() - started;

  for (const account of accounts) resolvePrepared(catalog, account); // every account has been here once
  const [warm, naive, list]: [number[], number[], number[]] = [[], [], []];
  const begun = performance.now();
  for (let at = 0; at < accountCount || performance.now() - begun < seconds * 1000; at++) {
    const account = accounts[(at * 7919) % accountCount]!; // all of them, in no order that a cache could like
    warm.push(microseconds(() => resolvePrepared(catalog, account)));
    if (at % stride !== 0) continue;
    naive.push(microseconds(() => resolveSkills({ ...account, skills })));
    list.push(microseconds(() => [...resolvePrepared(catalog, account)]));
  }
  for (const account of accounts.slice(0, 20)) assertSame([...resolvePrepared(catalog, account)], resolveSkills({ ...account, skills }));

  const cold: number[] = [];
  for (let round = 0; round < 5; round++) {
    const fresh = prepareCatalog(skills);
    for (const account of accounts.slice(round * 40, round * 40 + 40)) {
      const before = fresh.kinds.size;
      const us = microseconds(() => resolvePrepared(fresh, account));
      if (fresh.kinds.size > before) cold.push(us);
    }
  }
  const [p50, naiveP50] = [quantile(warm, 0.5), quantile(naive, 0.5)];
  const resolve = {
    ...{ p50Us: rounded(p50), p99Us: rounded(quantile(warm, 0.99)), naiveP50Us: rounded(naiveP50), ratio: rounded(naiveP50 / p50) },
    ...{ coldP50Us: rounded(quantile(cold, 0.5)), listP50Us: rounded(quantile(list, 0.5)), prepareMs: rounded(prepareMs), kinds: catalog.kinds.size },
  };
  tell(`${skillCount} skills, ${accountCount} accounts of ${resolve.kinds} kinds: warm p50 ${resolve.p50Us} us, p99 ${resolve.p99Us} us; naive p50 ${resolve.naiveP50Us} us, ${resolve.ratio} times as long`);
  tell(`cold p50 ${resolve.coldP50Us} us; with a copy of all decisions p50 ${resolve.listP50Us} us; preparing took ${resolve.prepareMs} ms; ${warm.length} warm and ${naive.length} naive resolves`);
  const render = renderSizes.map((size) => ({ skills: size, ms: rounded(renderMs(size)) }));
  for (const { skills: size, ms } of render) tell(`render of ${size} skills: ${ms} ms`);
  return { resolve, render };
}

function renderMs(size: number): number {
  const entries = generateCatalog(size, 0).skills.map(({ slug, description }) => ({ slug, description }));
  return quantile(Array.from({ length: 15 }, () => microseconds(() => renderCatalog(entries)) / 1000), 0.5);
}

function microseconds(work: () => unknown): number {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1000;
}

/** A fast answer that is wrong must not be reported. */
function assertSame(ours: readonly SkillDecision[], plain: readonly SkillDecision[]): void {
  const differs = plain.findIndex((decision, at) => standingOf(decision) !== standingOf(ours[at]!) || decision.layer !== ours[at]!.layer || decision.unmet.length !== ours[at]!.unmet.length);
  if (differs >= 0 || ours.length !== plain.length) throw new Error(`the prepared catalog decides ${plain[differs]?.slug} otherwise than the plain resolver`);
}
