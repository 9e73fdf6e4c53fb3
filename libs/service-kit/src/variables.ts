import type { JWK } from 'jose';
import { z } from 'zod';
import { readPrivateKey } from './signing-key.js';

/**
 * Variables that services declare in their `config`. Each carries an `example` for the error message. A message must
 * never quote the value that was given: it may be a secret in the wrong place.
 */

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'is no port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'is above 65535');

/** Milliseconds as decimal digits. */
export const milliseconds = z
  .string()
  .regex(/^\d{1,9}$/, 'is no whole number of milliseconds')
  .transform(Number);

function url(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `is no URL that starts with ${protocols.map((each) => `${each}//`).join(' or ')}`,
    )
    .meta({ example });
}

/** What every service reads. `HOST` is where both listeners bind. */
export const baseVariables = z.object({
  SKILLGATE_NATS_URL: z
    .string()
    // One or more addresses with commas between them; no @, since the user is always the service itself.
    .regex(/^(nats|tls):\/\/[^\s,@]+(,(nats|tls):\/\/[^\s,@]+)*$/, 'is no list of nats:// or tls:// addresses without user and password')
    .meta({ example: 'nats://127.0.0.1:4222' }),
  SKILLGATE_NATS_PASSWORD: z.string().meta({ example: '(the password of this service in the NATS configuration)' }),
  SKILLGATE_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').meta({ example: 'info' }),
  /** 0: no health listener. */
  SKILLGATE_HEALTH_PORT: port.default(0).meta({ example: '8081' }),
  /** 0: any free port. Read by services with an HTTP side. */
  SKILLGATE_HTTP_PORT: port.default(8080).meta({ example: '8080' }),
  SKILLGATE_HTTP_HOST: z.string().default('127.0.0.1').meta({ example: '0.0.0.0' }),
  SKILLGATE_DRAIN_MS: milliseconds.default(25_000).meta({ example: '25000' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'http://127.0.0.1:4318').optional(),
  /** The whole address, as OpenTelemetry has it: for a receiver of metrics beside one that takes traces alone. */
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url(['http:', 'https:'], 'http://127.0.0.1:9090/api/v1/otlp/v1/metrics').optional(),
});
export type BaseConfig = z.output<typeof baseVariables>;

/** `postgres://user:password@host/database` of the service's own role. */
export const databaseUrlVariable = url(['postgres:', 'postgresql:'], 'postgres://accounts:PASSWORD@127.0.0.1:5432/skillgate');

/** A private Ed25519 JWK as JSON. */
export const signingKeyVariable = z
  .string()
  .transform((text, context): JWK => {
    try {
      const jwk = JSON.parse(text) as JWK;
      readPrivateKey(jwk);
      return jwk;
    } catch (error) {
      // JSON.parse quotes its input in the message, so only our own words are passed on.
      context.addIssue(error instanceof TypeError ? error.message : 'is no JSON');
      return z.NEVER;
    }
  })
  .meta({ example: '{"kty":"OKP","crv":"Ed25519","x":"…","d":"…"} (newSigningKey() makes one)' });
