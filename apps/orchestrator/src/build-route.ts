import type { Route, RouteStep } from '@skillgate/contracts/route';
import type { TurnRow } from './entities.js';

type Load = Extract<RouteStep, { kind: 'load' }>;
type ToolStep = Extract<RouteStep, { kind: 'tool' }>;

const noTokens = { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 };

/** The route of a turn from its journal: task -> skill -> profile -> tool. */
export function buildRoute(turn: TurnRow, steps: RouteStep[]): Route {
  const facts = turn.facts;
  return {
    turn: turn.id,
    chat: turn.chat,
    traceId: turn.traceId,
    model: turn.model,
    plan: turn.plan,
    status: turn.status === 'waiting' ? 'running' : turn.status,
    ...(turn.status === 'waiting' && { waiting: true }),
    startedAt: turn.startedAt.toISOString(),
    ms: turn.endedAt ? turn.endedAt.getTime() - turn.startedAt.getTime() : null,
    questions: answerQuestions(turn, steps),
    skills: routeSkills(steps),
    entered: facts?.entered ?? [],
    visible: facts?.visible ?? [],
    withheld: facts?.withheld ?? [],
    steps,
    tokens: facts?.tokens ?? noTokens,
    cost: facts?.cost ?? null,
    catalogHash: facts?.catalogHash ?? null,
    catalogLines: facts?.catalogLines ?? null,
    persona: facts?.persona ?? null,
    personaEnded: facts?.personaEnded ?? null,
    decisions: facts?.decisions ?? [],
    warnings: facts?.warnings ?? [],
    ...(facts?.recognised && { recognised: facts.recognised }),
  };
}

/** Every skill that was loaded or whose tools ran in this turn, in that order. */
function routeSkills(steps: RouteStep[]): Route['skills'] {
  const skills = new Map<string, Route['skills'][number]>();
  const at = (ref: string): Route['skills'][number] => {
    const known = skills.get(ref);
    if (known) return known;
    const [skill = ref, version = ''] = ref.split('@');
    const fresh = { skill, version, profiles: [], tools: [] };
    skills.set(ref, fresh);
    return fresh;
  };
  for (const step of steps) {
    if (step.kind === 'load' && step.decision !== 'refused') at(`${step.skill}@${step.version}`).profiles.push(...step.profiles);
    if (step.kind !== 'tool' || !step.skill) continue;
    const { profiles, tools } = at(step.skill);
    if (step.profile && !profiles.includes(step.profile)) profiles.push(step.profile);
    if (!tools.includes(step.tool)) tools.push(step.tool);
  }
  return [...skills.values()];
}

/** The six questions, in order. A turn that needed no skill leaves those about skills open. */
function answerQuestions(turn: TurnRow, steps: RouteStep[]): Route['questions'] {
  const loads = steps.filter((step): step is Load => step.kind === 'load');
  const tools = steps.filter((step): step is ToolStep => step.kind === 'tool' && step.profile !== null);
  const asked = loads.length > 0 || tools.length > 0;
  const visible = new Set(turn.facts?.visible ?? []);
  return {
    skillVisible: loads.length > 0 ? loads.every((load) => visible.has(load.skill) || load.decision === 'already-active') : null,
    skillLoaded: loads.length > 0 ? loads.some((load) => load.decision !== 'refused') : null,
    profileOpened: asked ? tools.length > 0 || loads.some((load) => load.profiles.length > 0) : null,
    toolSelected: asked ? tools.length > 0 : null,
    argumentsValid: tools.length > 0 ? tools.every((tool) => tool.reason !== 'invalid-arguments') : null,
    taskDone: turn.status === 'running' ? null : turn.status === 'finished' && tools.every((tool) => tool.decision === 'ok' || retried(tool, tools)),
  };
}

/** A call that went wrong and later went right did not keep the task from being done. */
const retried = (failed: ToolStep, tools: ToolStep[]): boolean => tools.slice(tools.indexOf(failed) + 1).some((later) => later.tool === failed.tool && later.decision === 'ok');
