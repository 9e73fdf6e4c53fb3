import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SlackStage, startSlackStage } from '@skillgate/testing/slack-stage';
import { startTestHouse, type TestHouse } from './test-house.fixture.js';

const publicUrl = 'https://skillgate.example';
const shipped = new URL('../../accounts/integrations.yaml', import.meta.url);

export interface SlackHouse extends TestHouse {
  readonly stage: SlackStage;
  /** Connects the account of that key as a user does in a browser. @returns the page that ends it */
  connect(handle: string, key?: string): Promise<string>;
  send(method: string, path: string, body?: object, key?: string): Promise<Response>;
}

/** The house, and a Slack workspace that it can be connected to; the provider table is the shipped one but for Slack's address. */
export async function startSlackHouse(): Promise<SlackHouse> {
  const stage = await startSlackStage({
    users: [
      { name: 'ann', real_name: 'Ann Reed' },
      { name: 'tom', real_name: 'Tom Hill' },
    ],
    channels: [{ name: 'web-relaunch', topic: 'Everything about the new site' }],
    redirectUris: [`${publicUrl}/api/v1/integrations/callback`],
  });
  const folder = mkdtempSync(join(tmpdir(), 'skillgate-slack-'));
  const table = join(folder, 'integrations.yaml');
  writeFileSync(table, readFileSync(shipped, 'utf8').replaceAll('https://slack.com/', `${stage.url}/`));
  process.env.SKILLGATE_SLACK_API_URL = stage.apiUrl;
  const house = await startTestHouse({
    SKILLGATE_INTEGRATIONS_FILE: table,
    SKILLGATE_OAUTH_CLIENTS: JSON.stringify({ slack: stage.client }),
    SKILLGATE_PUBLIC_URL: publicUrl,
  });
  const send: SlackHouse['send'] = (method, path, body, key = house.house.keys.pro) =>
    fetch(house.house.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    ...house,
    stage,
    send,
    async connect(handle, key) {
      const { url } = (await (await send('POST', '/api/v1/integrations/slack/connection', {}, key)).json()) as { url: string };
      const landed = await stage.approve(url, handle);
      return (await fetch(landed.replace(publicUrl, house.house.url), { headers: { accept: 'text/html' } })).text();
    },
    async stop() {
      delete process.env.SKILLGATE_SLACK_API_URL;
      await house.stop();
      await stage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
