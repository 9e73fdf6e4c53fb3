import { randomBytes, randomUUID } from 'node:crypto';
import { type HouseError, refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import { stderrLog } from '@skillgate/wire/wire-log';
import type { Tool } from './define-tool.js';
import type { JsonSchema } from './json-schema.js';
import { runTool } from './run-tool.js';
import { Slots } from './slots.js';
import { stopSignal } from './stop-signal.js';
import type { ArtifactFile, ToolArtifacts } from './tool-context.js';
import type { ToolCredential } from './tool-credential.js';

/** Files in memory in place of the artifacts service. */
export class FakeArtifacts implements ToolArtifacts {
  readonly files = new Map<string, ArtifactFile>();

  /** Puts a file there before the tool runs; answers its id. */
  put(name: string, mime: string, content: Uint8Array | string): string {
    const id = `art_${randomBytes(16).toString('hex')}`;
    this.files.set(id, { name, mime, bytes: Buffer.from(content as Uint8Array) });
    return id;
  }

  async read(id: string): Promise<ArtifactFile> {
    const file = this.files.get(id);
    if (!file) throw refuse('unknown-artifact', `There is no artifact ${id}. Use the id of an uploaded or generated file.`);
    return file;
  }

  async write(file: ArtifactFile): Promise<ArtifactRef> {
    return { id: this.put(file.name, file.mime, file.bytes), name: file.name, mime: file.mime, bytes: file.bytes.length };
  }
}

export interface Trial {
  content?: unknown;
  error?: HouseError;
  artifacts: ArtifactRef[];
  progress: string[];
}

/**
 * Runs a tool as an executor would, from arguments to checked result, without a wire: for the unit tests of tools.
 * Errors come back in `error`, as the caller would see them. What `credentials` lacks is not connected.
 */
export async function tryTool(
  tool: Tool,
  args: JsonSchema,
  files = new FakeArtifacts(),
  signal: AbortSignal = new AbortController().signal,
  credentials: Readonly<Record<string, ToolCredential>> = {},
): Promise<Trial> {
  const progress: string[] = [];
  const stop = stopSignal(tool, signal);
  const who = { account: randomUUID(), user: randomUUID(), chat: randomUUID(), turn: randomUUID(), callId: randomUUID() };
  try {
    const context = {
      ...who,
      signal: stop.signal,
      artifacts: files,
      credential: async (integration: string) => credentials[integration] ?? notConnected(integration),
      progress: (message: string) => void progress.push(message),
      log: stderrLog,
    };
    const { result, error } = await runTool(tool, tool.decode(args), context, new Slots(1), stop);
    return { content: result?.content, error, artifacts: result?.artifacts ?? [], progress };
  } catch (error) {
    return { error: error as HouseError, artifacts: [], progress };
  } finally {
    stop.clear();
  }
}

function notConnected(integration: string): never {
  throw refuse('integration-not-connected', `${integration} is not connected. Give tryTool a credential for it.`);
}
