import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { callToolName } from './base-tools.js';
import type { ExposurePlan } from './models.js';
import { parseArguments } from './parse-arguments.js';

/** What a model's call comes down to. `message` tells the model what to do and is absent when the call may go on. */
export type DecodedCall =
  | { readonly kind: 'base' | 'tool'; readonly name: string; readonly arguments: Record<string, unknown>; readonly message?: undefined }
  /** Of the client, who gets `text` and reads it itself. */
  | { readonly kind: 'client'; readonly name: string; readonly arguments: Record<string, unknown>; readonly text: string; readonly message?: undefined }
  | {
      readonly kind: 'unknown' | 'bad-arguments';
      readonly name: string;
      readonly arguments: Record<string, unknown>;
      readonly message: string;
    };

/**
 * The single decoder: what it names is what is authorised and what is run, whichever way the call came. In plan `dispatch` a call
 * through `call_tool` and one by the tool's own name mean the same. The client's own tools come first: they hide ours of the same name.
 */
export function decodeCall(
  plan: ExposurePlan,
  call: { readonly name: string; readonly arguments: string | null },
  opened: readonly OpenedTool[],
  baseNames: readonly string[],
  clientNames: readonly string[] = [],
): DecodedCall {
  const parsed = parseArguments(call.arguments);
  const asClient = (name: string, text: string, args: Record<string, unknown>): DecodedCall => ({ kind: 'client', name, arguments: args, text });
  if (clientNames.includes(call.name)) return asClient(call.name, call.arguments ?? '{}', parsed.ok ? parsed.value : {});
  if (plan !== 'dispatch' || call.name !== callToolName) {
    const kind = kindOf(call.name, opened, baseNames);
    if (kind === undefined) return unknown(call.name, plan, opened, baseNames);
    return parsed.ok ? { kind, name: call.name, arguments: parsed.value } : bad(call.name, parsed.message);
  }
  if (!parsed.ok) return bad(callToolName, parsed.message);
  const { name, arguments: inner, ...others } = parsed.value;
  if (typeof name !== 'string' || name === '')
    return bad(callToolName, 'call_tool needs "name", the name of an opened tool, and "arguments", an object.');
  if (name === callToolName) return bad(callToolName, 'call_tool cannot call itself; name the tool that you mean.');
  if (clientNames.includes(name)) {
    const text = typeof inner === 'string' ? inner : JSON.stringify(inner ?? {});
    const parsedInner = parseArguments(text);
    return asClient(name, text, parsedInner.ok ? parsedInner.value : {});
  }
  const kind = kindOf(name, opened, baseNames);
  if (kind === undefined) return unknown(name, plan, opened, baseNames);
  const [stray] = Object.keys(others);
  if (stray !== undefined)
    return bad(name, `"${stray.slice(0, 64)}" stands beside "arguments"; put everything that ${name} takes inside "arguments".`);
  const arguments_ = parseArguments(typeof inner === 'string' ? inner : JSON.stringify(inner ?? {}));
  return arguments_.ok ? { kind, name, arguments: arguments_.value } : bad(name, arguments_.message);
}

function kindOf(name: string, opened: readonly OpenedTool[], baseNames: readonly string[]): 'base' | 'tool' | undefined {
  if (baseNames.includes(name)) return 'base';
  return opened.some((tool) => tool.name === name) ? 'tool' : undefined;
}

const bad = (name: string, message: string): DecodedCall => ({ kind: 'bad-arguments', name, arguments: {}, message });

const namesShown = 30; // a model does not need more to find its mistake

function unknown(name: string, plan: ExposurePlan, opened: readonly OpenedTool[], baseNames: readonly string[]): DecodedCall {
  const names = [...new Set([...baseNames, ...opened.map((tool) => tool.name)])];
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  const reason =
    plan === 'expand' && name === callToolName
      ? 'call_tool is not offered here; call the tool by its own name.'
      : `There is no open tool "${name.slice(0, 64)}".`;
  const advice = 'If a skill in the catalog fits, load it first; otherwise go on without the tool and say so.';
  const message = `${reason} Open now: ${names.slice(0, namesShown).join(', ')}${more}. ${advice}`;
  return { kind: 'unknown', name, arguments: {}, message };
}
