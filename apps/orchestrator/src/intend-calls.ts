import type { DecodedCall } from '@skillgate/prompt/decode-call';
import { intentOf } from './run-tool.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import type { Intent, OpenRound } from './turn-records.js';

/**
 * Writes down which calls with effects are about to be sent, with the answer that asked for them, in one commit: whoever
 * takes the turn over neither asks the model again nor sends what may have been sent. A round without effects costs none.
 *
 * @returns the wire's ids by call id
 * @throws unavailable or refusal `turn-not-held`: then nothing may be sent
 */
export async function intendCalls(
  context: TurnContext,
  { text, calls }: Pick<OpenRound, 'text' | 'calls'>,
  planned: readonly { id: string; decoded: DecodedCall }[],
): Promise<Map<string, string>> {
  const { held, turn, journal, signal, ledgers, decided } = context;
  const intents: Record<string, Intent> = {};
  for (const { id, decoded } of planned) {
    const tool = decoded.kind === 'tool' ? held.tool(decoded.name) : undefined;
    // An id that an earlier attempt sent is settled by now, and settled as never run where it comes here: it is refused for good.
    const said = decided.get(id);
    if (tool && said?.grant) intents[id] = { ...intentOf(tool, id), approved: true };
    else if (tool && !said && tool.effect !== 'read') intents[id] = intentOf(tool, turn.attempt === 1 ? id : `${id}.${turn.attempt}`);
  }
  const ids = new Map(Object.entries(intents).map(([id, { sentAs }]) => [id, sentAs]));
  if (ids.size === 0 || signal.aborted) return ids;
  await Promise.all([...new Set(Object.values(intents).map(({ executor }) => executor))].map(ledgers));
  journal.openRound({ text, calls, intents });
  await journal.save(factsOf(context, null));
  return ids;
}
