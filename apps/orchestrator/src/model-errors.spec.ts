import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { asHouseError } from './model-errors.js';

const tools = ['load_skill', 'docs_read', 'create_event'];
const said = (message: string) => new OpenAI.APIError(400, { message }, message, new Headers());

describe('a request that the model endpoint refused', () => {
  it.each([
    ["OpenAI's place", "Invalid 'tools[1].function.parameters': array schema missing items", 'docs_read'],
    ["OpenAI's name", "Invalid schema for function 'create_event': None is not of type 'array'", 'create_event'],
    ["Anthropic's place", "tools.2.custom.input_schema.properties: Property keys should match pattern", 'create_event'],
    ["Gemini's place", '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.', 'docs_read'],
  ])('names the tool: by %s', (_whose, message, name) => {
    const error = asHouseError(said(message), tools) as Error;
    expect(error).toMatchObject({ slug: 'model-refused-request', message: expect.stringContaining(`"${name}"`) });
    expect(error.message).not.toContain('Property keys');
  });

  it.each(['tools[7]: wrong', "Invalid schema for function 'a secret': wrong", 'Bad temperature'])('names none where it says nothing that stands in the request: %s', (message) => {
    expect((asHouseError(said(message), tools) as Error).message).toBe('The model endpoint answered 400. The operator finds the reason under this correlation id.');
  });
});
