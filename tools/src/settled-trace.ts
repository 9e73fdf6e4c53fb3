import type { OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import type { Span } from '@skillgate/backing/span';
import { orphans } from '@skillgate/backing/trace-tree';

/** Milliseconds after which no exporter has anything left: they send twice a second. */
const quietMs = 1_200;

/** Waits until a trace has its root, nobody lacks a parent, and nothing more comes; or until `timeoutMs`, with what there is. */
export async function settledTrace(receiver: OtlpReceiver, traceId: string, timeoutMs = 8_000): Promise<Span[]> {
  const deadline = Date.now() + timeoutMs;
  let seen = -1;
  let since = Date.now();
  for (;;) {
    const spans = receiver.trace(traceId);
    if (spans.length !== seen) {
      seen = spans.length;
      since = Date.now();
    }
    const whole = spans.some((span) => span.parentSpanId === null) && orphans(spans).length === 0;
    if ((whole && Date.now() - since > quietMs) || Date.now() > deadline) return spans;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
