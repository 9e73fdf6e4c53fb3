import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { printManifest } from '@skillgate/executor-kit/manifest';
import { slackExecutor } from './slack-executor.js';

const committed = readFileSync(new URL('../manifest.json', import.meta.url), 'utf8');
const tools = [...slackExecutor.tools.values()].map(({ manifest }) => manifest);

describe('manifest.json, which operators approve', () => {
  it('is what the code announces; print it anew after a change and have it approved', () => {
    expect(printManifest(slackExecutor)).toBe(committed);
  });

  it('calls external whatever other people see, and nothing that they do not', () => {
    const byEffect = (effect: string) => tools.filter((tool) => tool.effect === effect).map(({ name }) => name);
    expect(byEffect('external')).toEqual(['slack_send_message', 'slack_schedule_message', 'slack_create_canvas', 'slack_update_canvas']);
    expect(byEffect('write')).toEqual(['slack_create_draft']);
  });

  it('tells a model what each tool is not for, and describes every argument', () => {
    for (const { name, description, inputSchema } of tools) {
      expect([name, description]).toEqual([name, expect.stringMatching(/\b[Nn]ot for\b/)]);
      for (const [field, schema] of Object.entries(inputSchema.properties as Record<string, { description?: string }>))
        expect([name, field, Boolean(schema.description)]).toEqual([name, field, true]);
    }
  });
});
