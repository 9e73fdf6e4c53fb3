import { offlineModelId } from '@skillgate/offline-model/start';

/** A first request that works as printed. */
export function curlLine(url: string, key: string): string {
  const body = { model: process.env.SKILLGATE_MODEL ?? offlineModelId, messages: [{ role: 'user', content: 'What can you do for me?' }] };
  return `curl -s ${url}/v1/chat/completions -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
