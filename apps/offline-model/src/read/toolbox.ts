import type { JsonSchema, OfferedTool } from '../protocol/chat-request.js';
import { readCarriedTools } from './carried-tools.js';
import { parseJson } from './json-in-text.js';
import type { AnsweredCall } from './turn.js';

/** The function that brings a skill's instructions, and the parameter that takes its slug. */
export interface Loader {
  name: string;
  parameter: string;
}

/** A function that calls other functions by name: their schemas travel in the text instead of in `tools`. */
export interface Bridge {
  name: string;
  /** Arguments as an object, or as JSON in a string. */
  asText: boolean;
}

export interface Toolbox {
  loader?: Loader;
  bridge?: Bridge;
  /** What can be called to do work, directly or over the bridge. */
  callable: OfferedTool[];
}

export function readToolbox(tools: OfferedTool[], trustedTexts: string[]): Toolbox {
  const loader = tools.map(asLoader).find((found) => found !== undefined);
  const bridge = tools.map(asBridge).find((found) => found !== undefined);
  const direct = tools.filter((tool) => tool.name !== loader?.name && tool.name !== bridge?.name);
  const carried = bridge ? readCarriedTools(trustedTexts).filter((tool) => !direct.some((known) => known.name === tool.name)) : [];
  return { loader, bridge, callable: [...direct, ...carried] };
}

function asLoader(tool: OfferedTool): Loader | undefined {
  if (!/\bloads?\b[^.]*\bskills?\b/i.test(tool.description)) return undefined;
  const required = requiredOf(tool.parameters);
  const parameter = required.find((name) => /^(?:skill_?)?slug$|^skill(?:_?name)?$/i.test(name));
  return parameter ? { name: tool.name, parameter } : undefined;
}

function asBridge(tool: OfferedTool): Bridge | undefined {
  const properties = tool.parameters.properties as Record<string, JsonSchema> | undefined;
  const named = properties?.name?.type === 'string' && properties.arguments !== undefined;
  if (!named || !/\b(?:calls?|runs?|invokes?|dispatch(?:es)?)\b/i.test(tool.description)) return undefined;
  return { name: tool.name, asText: properties.arguments!.type === 'string' };
}

function requiredOf(schema: JsonSchema): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name): name is string => typeof name === 'string') : [];
}

/** A call by the name of the tool that does the work: calls over the bridge are opened. */
export function unwrap(call: AnsweredCall, bridge: Bridge | undefined): AnsweredCall {
  if (!bridge || call.name !== bridge.name) return call;
  const sent = parseJson(call.arguments) as { name?: unknown; arguments?: unknown } | undefined;
  if (typeof sent?.name !== 'string') return call;
  return {
    ...call,
    name: sent.name,
    arguments: typeof sent.arguments === 'string' ? sent.arguments : JSON.stringify(sent.arguments ?? {}),
  };
}

/** The call as it must be made: over the bridge when the tool is not offered directly. */
export function wrap(
  name: string,
  args: Record<string, unknown>,
  toolbox: Toolbox,
  offered: OfferedTool[],
): { name: string; arguments: Record<string, unknown> } {
  if (!toolbox.bridge || offered.some((tool) => tool.name === name)) return { name, arguments: args };
  return { name: toolbox.bridge.name, arguments: { name, arguments: toolbox.bridge.asText ? JSON.stringify(args) : args } };
}
