import type { Tool } from '@skillgate/executor-kit/define-tool';
import { ToolCredential } from '@skillgate/executor-kit/tool-credential';
import { FakeArtifacts, type Trial, tryTool } from '@skillgate/executor-kit/try-tool';
import { type Cast, type SlackStage, startSlackStage } from '@skillgate/testing/slack-stage';

/** A workspace and a person in it whose token the tools work with. */
export interface SlackTrial {
  readonly stage: SlackStage;
  readonly token: string;
  /** @param token of another connection, with its own memory */
  run(tool: Tool, args: Record<string, unknown>, token?: string): Promise<Trial>;
  /** The content of a run that must succeed. */
  content<T = Record<string, never>>(tool: Tool, args: Record<string, unknown>, token?: string): Promise<T>;
  /** The id of a channel by its name. */
  channel(name: string): Promise<string>;
  /** The id of a person by their handle. */
  person(handle: string): Promise<string>;
  stop(): Promise<void>;
}

export const credentialOf = (token: string): ToolCredential =>
  new ToolCredential('slack', { lease: `lease-${token.slice(-6)}`, kind: 'oauth2', accessToken: token, scopes: [] });

export async function startSlackTrial(cast: Cast, user: string): Promise<SlackTrial> {
  const stage = await startSlackStage(cast);
  process.env.SKILLGATE_SLACK_API_URL = stage.apiUrl;
  const own = stage.token(user);
  const look = stage.as('admin');
  const run: SlackTrial['run'] = (tool, args, token = own) =>
    tryTool(tool, args, new FakeArtifacts(), new AbortController().signal, { slack: credentialOf(token) });
  const idOf = async (method: string, list: string, name: string): Promise<string> => {
    const answer = await look<Record<string, { id: string; name: string }[]>>(method, {
      limit: 900,
      types: 'public_channel,private_channel',
    });
    return answer[list]!.find((each) => each.name === name)!.id;
  };
  return {
    ...{ stage, token: own, run },
    async content<T>(tool: Tool, args: Record<string, unknown>, token?: string) {
      const { content, error } = await run(tool, args, token);
      if (error) throw error;
      return content as T;
    },
    channel: (name) => idOf('conversations.list', 'channels', name),
    person: (handle) => idOf('users.list', 'members', handle),
    async stop() {
      delete process.env.SKILLGATE_SLACK_API_URL;
      await stage.close();
    },
  };
}
