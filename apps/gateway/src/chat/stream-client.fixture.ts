import { request, type IncomingMessage } from 'node:http';
import { keyOf } from '../gateway-house.fixture.js';

export interface Received {
  /** The client's last id when it got this. */
  id: string | undefined;
  data: string;
}

/** Opens an event stream on a connection of its own, so that cutting it off is cutting the connection. */
export function openStream(
  url: string,
  { json, headers = {} }: { json?: unknown; headers?: Record<string, string> } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      agent: false,
      method: json === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keyOf('user')}`, 'content-type': 'application/json', ...headers },
    });
    asking.on('response', resolve).on('error', reject);
    asking.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** The events of a stream as they come; comments are skipped, as every client does. */
export async function* readEvents(response: IncomingMessage): AsyncGenerator<Received, void, undefined> {
  let rest = '';
  let id: string | undefined;
  response.setEncoding('utf8');
  for await (const text of response) {
    const lines = (rest + String(text)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('id: ')) id = line.slice(4);
      if (line.startsWith('data: ')) yield { id, data: line.slice(6) };
    }
  }
}

/** Takes `count` events and is cut off; stays to the end unless there is a count. */
export async function take(response: IncomingMessage, count = Infinity): Promise<Received[]> {
  if (response.statusCode !== 200) throw new Error(`the stream was refused with ${response.statusCode}`);
  const events: Received[] = [];
  for await (const event of readEvents(response)) if (events.push(event) >= count) break;
  return events;
}

/** Reads a turn after `id`, at most `count` events of it. */
export async function resume(gatewayUrl: string, turn: string, id?: string, count?: number): Promise<Received[]> {
  const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id };
  return take(await openStream(`${gatewayUrl}/api/v1/turns/${turn}/stream`, { headers }), count);
}

export const textOf = (events: readonly Received[]): string =>
  events
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => (JSON.parse(data) as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? '')
    .join('');
