import { isHouseError } from '@skillgate/contracts/refusal';
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

/** What may be written on a call's span: ids and slugs, never arguments or results. */
export interface CallSpan {
  grant(id: string): void;
  replayed(replayed: boolean): void;
}

/**
 * Runs one call inside `execute_tool {tool}` (OpenTelemetry GenAI conventions). The decision is `ok`, `refused`,
 * `cancelled` or `failed`; a refusal is no error of the span.
 */
export function inCallSpan<T>(tracer: Tracer, call: { tool: string; callId?: string }, work: (span: CallSpan) => Promise<T>): Promise<T> {
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': call.tool, 'gen_ai.tool.call.id': call.callId ?? '' };
  return tracer.startActiveSpan(`execute_tool ${call.tool}`, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
    try {
      const result = await work({
        grant: (id) => void span.setAttribute('skillgate.grant.id', id),
        replayed: (replayed) => void (replayed && span.setAttribute('skillgate.replayed', true)),
      });
      span.setAttribute('skillgate.decision', 'ok');
      return result;
    } catch (error) {
      recordDenial(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function recordDenial(span: Span, error: unknown): void {
  const { kind, slug } = isHouseError(error) ? error : { kind: 'defect', slug: 'internal' };
  const decision = slug === 'cancelled' ? 'cancelled' : kind === 'refusal' ? 'refused' : 'failed';
  span.setAttributes({ 'skillgate.decision': decision, 'skillgate.deny.reason': slug });
  if (decision === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, message: slug }); // the words of an error may quote content
}
