import { cachePlans, type CacheEconomy } from './cache.js';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** `docs/prompt-cache.md`, whole. */
export function cacheDocument({ plans }: CacheEconomy): string {
  const rows = cachePlans.map((plan) => {
    const { cold, long, changedBytes } = plans[plan];
    return `| \`${plan}\` | ${percent(cold)} | ${percent(long)} | ${changedBytes.toLocaleString('en-US')} |`;
  });
  return `# What a provider can reuse of a prompt

Made by \`bin/measure cache --write\`: a real house plays two chats with a model that keeps the exact bytes it is sent; a test plays them again.

Providers keep the beginning of a prompt for the next request, and in it tools stand before the messages. So an added tool moves everything behind
it: in \`expand\` each activation costs the whole chat once more. In \`dispatch\` the tools never change and the schemas travel with the
instructions: whatever was sent before is sent again, byte for byte. The shares are what a cache that forgets nothing could reuse; a provider
may reuse less, since caches expire and count in blocks.

| plan | cold turn, three calls | ten turns, three activations | bytes changed |
| --- | --- | --- | --- |
${rows.join('\n')}

The cold turn finds an empty cache: its first call is all new. *Bytes changed* are those of a request that the next one did not send again in
their place, over both chats.
`;
}
