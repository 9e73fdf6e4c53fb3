import { context as active, type Link, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isHouseError } from '@skillgate/contracts/refusal';
import type { TurnContext } from './turn-context.js';

type Recorded = { step: object; skill?: unknown };

/** Runs work inside an ended-for-sure span; the work's error marks it. */
export async function inSpan<T>(
  { tracer }: Pick<TurnContext, 'tracer'>,
  name: string,
  attributes: Record<string, string | number | string[]>,
  work: (span: Span) => Promise<T>,
  kind: SpanKind = SpanKind.INTERNAL,
  links: readonly Link[] = [],
): Promise<T> {
  const span = tracer.startSpan(name, { attributes, kind, links: [...links] });
  try {
    return await active.with(trace.setSpan(active.active(), span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A slug where the house knows the error, else the name of its class. */
export const errorType = (error: unknown): string => (isHouseError(error) ? error.slug : error instanceof Error ? error.name : 'unknown');

/** OpenTelemetry GenAI: one `execute_tool {tool}` span a call, with the house's own facts beside. Content stays out. */
export function inExecuteToolSpan<T extends Recorded>(context: TurnContext, callId: string, tool: string, work: () => Promise<T>): Promise<T> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': callId,
    'gen_ai.conversation.id': context.turn.chat,
  };
  return inSpan(context, `execute_tool ${tool}`, attributes, async (span) => {
    const run = await work();
    describe(span, run.step as Record<string, unknown>);
    return run;
  });
}

function describe(span: Span, step: Record<string, unknown>): void {
  const facts: Record<string, unknown> = {
    'skillgate.decision': step.decision,
    'skillgate.deny.reason': step.reason,
    'skillgate.grant.id': step.grantId,
    'skillgate.profile': step.profile ?? step.profiles,
    'gen_ai.skill.name': step.skill,
    'skillgate.skill.version': step.version,
    'skillgate.skill.digest': step.digest,
    'skillgate.scope.layer': step.layer,
  };
  for (const [key, value] of Object.entries(facts)) {
    if (typeof value === 'string' || (Array.isArray(value) && value.length > 0)) span.setAttribute(key, value as string | string[]);
  }
  if (step.decision === 'failed' || step.decision === 'unknown') span.setStatus({ code: SpanStatusCode.ERROR });
}
