import { executorName } from '@skillgate/contracts/words';
import type { Tool } from './define-tool.js';

/** A separately shipped service that owns tools. Its name is its NATS user and the audience of its grants. */
export interface Executor {
  readonly name: string;
  readonly version: string;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Calls that run at the same time in one instance. */
  readonly concurrency: number;
  /** What must work for this executor to be ready, by name; each throws the reason when it does not. */
  readonly health: Readonly<Record<string, () => Promise<void>>>;
}

export interface ExecutorDefinition {
  /** Lower-case letters, digits and hyphens, at most 32. */
  name: string;
  /** major.minor.patch */
  version: string;
  tools: readonly Tool[];
  /** Calls that run at the same time in one instance, 8 unless given; four times as many wait in line. */
  concurrency?: number;
  /**
   * Parts of `/health/ready` beside the connection to NATS, such as the outside system. Each is asked twice a second at most and has
   * 800 ms.
   */
  health?: Readonly<Record<string, () => Promise<void>>>;
}

const semver = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/; // major.minor.patch with an optional pre-release

/** @throws Error naming the executor and what is off */
export function defineExecutor(definition: ExecutorDefinition): Executor {
  const { name, version, concurrency = 8, health = {} } = definition;
  if (!executorName.safeParse(name).success)
    throw new Error(`"${name}" is no executor name: lower-case letters, digits and hyphens, at most 32`);
  if (!semver.test(version)) throw new Error(`executor "${name}": version "${version}" is not major.minor.patch`);
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new Error(`executor "${name}": concurrency ${concurrency} is no whole number above 0`);
  if (definition.tools.length === 0) throw new Error(`executor "${name}" has no tools`);
  const tools = new Map<string, Tool>();
  for (const tool of definition.tools) {
    if (tools.has(tool.manifest.name)) throw new Error(`executor "${name}" defines the tool "${tool.manifest.name}" twice`);
    tools.set(tool.manifest.name, tool);
  }
  return { name, version, tools, concurrency, health };
}
