import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import { suggestName, type ToolManifest } from '@skillgate/contracts/tool-manifest';

const require = createRequire(import.meta.url);

/** Servers that start without a network, with the arguments and the environment that they need for it. */
const servers: Record<string, { package: string; bin: string; args?: string[]; env?: Record<string, string> }> = {
  everything: { package: '@modelcontextprotocol/server-everything', bin: 'mcp-server-everything', args: ['stdio'] },
  filesystem: { package: '@modelcontextprotocol/server-filesystem', bin: 'mcp-server-filesystem', args: [import.meta.dirname] },
  memory: { package: '@modelcontextprotocol/server-memory', bin: 'mcp-server-memory' },
  thinking: { package: '@modelcontextprotocol/server-sequential-thinking', bin: 'mcp-server-sequential-thinking' },
  notion: { package: '@notionhq/notion-mcp-server', bin: 'notion-mcp-server', env: { NOTION_TOKEN: 'ntn_of_nobody' } },
  chart: { package: '@antv/mcp-server-chart', bin: 'mcp-server-chart' },
};

export const mcpServers = Object.keys(servers);

/** Where a package of node_modules stands, also one whose exports name no package.json. */
function packageFolder(name: string): string {
  const folder = require.resolve.paths(name)?.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  if (folder === undefined) throw new Error(`The package ${name} is not installed; run npm install.`);
  return folder;
}

/** The tools that a server of the Model Context Protocol lists, asked over stdio now; the server is ended before this returns. */
export async function toolsOf(server: string): Promise<Tool[]> {
  const { package: name, bin, args = [], env = {} } = servers[server]!;
  const folder = packageFolder(name);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  const client = new Client({ name: 'skillgate', version: '0.1.0' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [join(folder, bins[bin]!), ...args], env: { PATH: process.env.PATH ?? '', ...env }, stderr: 'ignore' });
  try {
    await client.connect(transport);
    const tools: Tool[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await client.listTools({ cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) return tools;
    }
  } finally {
    await client.close();
  }
}

/** As an executor would announce it that passes its calls on: under its own name as it stands, or under the one that we suggest. */
export function manifestOf({ name, description = '', inputSchema, annotations }: Tool, { profile, renamed }: { profile: string; renamed: boolean }): ToolManifest {
  const effect = annotations?.readOnlyHint === true ? ('read' as const) : ('external' as const);
  const tool = { name: (renamed ? suggestName(name) : undefined) ?? name, profile, effect, description, inputSchema: inputSchema as Record<string, unknown> };
  return { ...tool, timeoutMs: 30_000, schemaDigest: manifestDigest(tool) };
}
