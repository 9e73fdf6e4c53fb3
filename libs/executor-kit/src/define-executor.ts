import { executorName } from '@skillgate/contracts/words';
import type { Tool } from './define-tool.js';

/** A separately shipped service that owns tools. Its name is its NATS user and the audience of its grants. */
export interface Executor {
  readonly name: string;
  readonly version: string;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Calls that run at the same time in one instance. */
  readonly concurrency: number;
}

const semver = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/; // major.minor.patch with an optional pre-release

export function defineExecutor(definition: { name: string; version: string; tools: readonly Tool[]; concurrency?: number }): Executor {
  const { name, version, concurrency = 8 } = definition;
  if (!executorName.safeParse(name).success)
    throw new Error(`"${name}" is no executor name: lower-case letters, digits and hyphens, at most 32`);
  if (!semver.test(version)) throw new Error(`executor "${name}": version "${version}" is not major.minor.patch`);
  if (definition.tools.length === 0) throw new Error(`executor "${name}" has no tools`);
  const tools = new Map<string, Tool>();
  for (const tool of definition.tools) {
    if (tools.has(tool.manifest.name)) throw new Error(`executor "${name}" defines the tool "${tool.manifest.name}" twice`);
    tools.set(tool.manifest.name, tool);
  }
  return { name, version, tools, concurrency };
}
