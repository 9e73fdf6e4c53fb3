import { z } from 'zod';

const clients = z.record(z.string(), z.strictObject({ id: z.string().min(1), secret: z.string().min(1).optional() }));

/** This house's clients at the providers, by the name that the provider table has for them. */
export type OAuthClients = z.output<typeof clients>;

/** A message never quotes the value: it is full of secrets. */
export const oauthClientsVariable = z
  .string()
  .transform((text, context): OAuthClients => {
    const parsed = clients.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue('is no JSON object of clients, each with an id and mostly a secret');
    return z.NEVER;
  })
  .meta({ example: '{"google":{"id":"…","secret":"…"},"microsoft":{"id":"…","secret":"…"}}' });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
