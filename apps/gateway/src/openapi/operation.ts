import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { vendorErrorBody } from '../chat/chat-answers.js';
import { problem } from '../errors/problem.js';
import { statusOf } from '../errors/status-of.js';

type Schema = Record<string, unknown>;

export interface OperationShape {
  summary: string;
  description?: string;
  /** No key is asked for. */
  open?: true;
  /** What may stand behind the `?`. */
  query?: z.ZodObject;
  /** JSON body, as the client writes it. */
  body?: z.ZodType;
  /** It may be left out. */
  bodyOptional?: true;
  answer?: z.ZodType;
  /** The answer is an event stream. */
  events?: true;
  /** Status of the answer; 200 unless given. */
  status?: number;
  /** Refusals by slug, beside those of every route. */
  refusals?: readonly string[];
  /** Shape of an error body: RFC 9457 unless given. */
  errors?: keyof typeof errorBodies;
}

/** By their names in the document; the media type is the second part. */
export const errorBodies = {
  Problem: { schema: problem, type: 'application/problem+json' },
  VendorError: { schema: vendorErrorBody, type: 'application/json' },
} as const;

/** Describes a route in the OpenAPI document from the schemas that the code itself uses. */
export function Operation(shape: OperationShape) {
  const { summary, description, open, query, body, bodyOptional, answer, events, status = 200, refusals = [], errors = 'Problem' } = shape;
  const byStatus = groupByStatus([...(open ? [] : everyRoute), ...refusals]);
  return applyDecorators(
    ApiOperation({ summary, ...(description ? { description } : {}), ...(open ? { security: [] } : {}) }),
    ...(query ? queryParts(query) : []),
    ...(body ? [ApiBody({ schema: jsonSchema(body, 'input'), required: !bodyOptional })] : []),
    ApiResponse({
      ...{ status, description: 'Done.' },
      ...(answer ? { schema: jsonSchema(answer, 'output') } : {}),
      ...(events ? { content: { 'text/event-stream': { schema: { type: 'string' } } } } : {}),
    }),
    ...[...byStatus].map(([code, slugs]) => ApiResponse(errorResponse(code, slugs, errors))),
  );
}

function queryParts(query: z.ZodObject): MethodDecorator[] {
  const { properties, required = [] } = jsonSchema(query, 'input') as { properties: Record<string, Schema>; required?: string[] };
  // What is coerced may come as anything, says its input; as what it is read says its output.
  const read = (jsonSchema(query, 'output') as { properties: Record<string, Schema> }).properties;
  return Object.keys(properties).map((name) => {
    const { description, ...schema } = read[name]!;
    return ApiQuery({ name, schema, required: required.includes(name), ...(description ? { description: String(description) } : {}) });
  });
}

const errorResponse = (status: number, slugs: readonly string[], name: keyof typeof errorBodies) => ({
  ...{ status, description: slugs.join(', ') },
  content: { [errorBodies[name].type]: { schema: { $ref: `#/components/schemas/${name}` } } },
  ...(status === 429 ? { headers: retryAfter } : {}),
});

const retryAfter = { 'Retry-After': { schema: { type: 'integer' as const }, description: 'Seconds until there is room again; absent where a limit of 0 allows none.' } };

const everyRoute = [
  ...['missing-api-key', 'invalid-api-key', 'token-invalid', 'token-expired', 'token-without-user', 'token-user-revoked', 'token-without-role'],
  'requests-a-minute-reached',
];

function groupByStatus(slugs: readonly string[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const slug of slugs) groups.set(statusOf(slug), [...(groups.get(statusOf(slug)) ?? []), slug]);
  return groups;
}

/**
 * OpenAPI 3.1 schemas are JSON Schema 2020-12. A named format says more than the pattern behind it; an answer may get
 * new fields at any time, so it is never closed.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const whole = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: node }) => {
      if (node.format) delete node.pattern;
      if (io === 'output' && node.additionalProperties === false) delete node.additionalProperties;
    },
  }) as Schema;
  delete whole.$schema; // the document says it once for all
  return whole;
}
