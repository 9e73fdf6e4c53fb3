import type { ApprovedTool } from './approved-tool.js';
// TEMPORARY until @skillgate/prompt/ledger appears
export const definitionTokens = (tool: ApprovedTool): number => Math.ceil(JSON.stringify(tool).length / 4);
