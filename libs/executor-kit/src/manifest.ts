import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import type { Executor } from './define-executor.js';

/** What an operator reads and approves, and what the executor announces. */
export interface ExecutorManifest {
  executor: string;
  version: string;
  tools: ToolManifest[];
}

export const manifestOf = (executor: Executor): ExecutorManifest => ({
  executor: executor.name,
  version: executor.version,
  tools: [...executor.tools.values()].map((tool) => tool.manifest),
});

/** The text of a committed `manifest.json`. */
export const printManifest = (executor: Executor): string => `${JSON.stringify(manifestOf(executor), null, 2)}\n`;
