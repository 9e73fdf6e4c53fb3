import type { SamplingOptions, ToolChoice } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import type { ModelEntry } from '@skillgate/prompt/models';

type Options = Readonly<Record<string, unknown>>;

/** An answer in another shape is no answer: without these the request is refused, and not served differently. */
const indispensable: readonly string[] = ['response_format', 'tool_choice'];

const refused = ({ refuses = [] }: ModelEntry): ReadonlySet<string> => new Set<string>(refuses);

/** Names of the options that the model's endpoint does not take. They are left out, and the client is told. */
export function droppedOptions(sampling: Options, entry: ModelEntry): string[] {
  return Object.keys(sampling).filter((name) => refused(entry).has(name)).sort();
}

/** @throws refusal `unsupported-option` for what cannot be left out without another answer than was asked for */
export function checkOptions(sampling: SamplingOptions, choice: ToolChoice | undefined, tools: number, entry: ModelEntry): void {
  const asked: Options = { ...sampling, ...(choice !== undefined && choice !== 'auto' && choice !== 'none' && { tool_choice: choice }) };
  const missing = Object.keys(asked).find((name) => indispensable.includes(name) && refused(entry).has(name));
  if (missing) throw refuse('unsupported-option', `The model "${entry.id}" does not take "${missing}". Leave it out, or ask another model.`, { param: missing });
  if (tools > 0 && !entry.usesTools) throw refuse('unsupported-option', `The model "${entry.id}" takes no tools. Remove "tools", or ask another model.`, { param: 'tools' });
}

/** Of a request to this very model; another one that is asked in its place may take less. */
export function optionsFor(sampling: Options, entry: ModelEntry, hasTools: boolean): Options {
  const not = refused(entry);
  return Object.fromEntries(Object.entries(sampling).filter(([name]) => !not.has(name) && (hasTools || name !== 'parallel_tool_calls')));
}

/**
 * What a model is told of tools before its next answer. A tool that must be called must be called once: asked again for the same, the
 * model would never answer. Where the client brought tools, it waits for a call of one of them.
 *
 * @param called whether the turn has called anything
 */
export function choiceNow(choice: ToolChoice | undefined, clientNames: readonly string[], called: boolean): 'none' | 'auto' | 'required' | { type: 'function'; function: { name: string } } | undefined {
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice;
  const forClient = choice === 'required' ? clientNames.length > 0 : clientNames.includes(choice.name);
  if (called && !forClient) return 'auto';
  return choice === 'required' ? choice : { type: 'function', function: { name: choice.name } };
}
