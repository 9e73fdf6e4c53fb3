import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export interface BareAnswer {
  text: string;
  calls: object[];
}

interface Chunk {
  choices: { delta: { content?: string; tool_calls?: object[] } }[];
}

/** One streamed answer with the bare client: each event is parsed as it comes. */
export function askModel(url: string, body: object): Promise<BareAnswer> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/chat/completions`, { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } }, (response) => {
      const answer: BareAnswer = { text: '', calls: [] };
      let left = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        const events = (left + piece).split('\n\n');
        left = events.pop() ?? '';
        for (const event of events) take(event, answer);
      });
      response.on('end', () => resolve(answer));
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(text);
  });
}

function take(event: string, answer: BareAnswer): void {
  if (event === 'data: [DONE]') return;
  const [choice] = (JSON.parse(event.slice(6)) as Chunk).choices;
  answer.text += choice?.delta.content ?? '';
  answer.calls.push(...(choice?.delta.tool_calls ?? []));
}
