import { composeBrief } from '../compose/compose-brief.js';
import type { ChatRequest } from '../protocol/chat-request.js';
import { BadRequest } from '../protocol/bad-request.js';
import type { Reply } from '../protocol/reply.js';
import { headingsWanted } from '../read/template.js';
import { toolsInOrder } from '../read/steps.js';
import { failureOf } from '../read/results.js';
import { wrap } from '../read/toolbox.js';
import { askWhich, noLoad, plainAnswer, stopped } from './answers.js';
import { fillArguments } from './fill-arguments.js';
import { materialsOf, readFiles } from './gather-material.js';
import { nextCall } from './next-call.js';
import { pickSkill } from './pick-skill.js';
import { report } from './report.js';
import { see, type Sight } from './sight.js';
import { titleFor } from './title.js';

/** Model answers in one turn after which the stand-in stops calling and says what it has. */
const mostSteps = 8;

/** One step of the conversation, decided from the request alone: nothing is remembered between two requests. */
export function decide(request: ChatRequest): Reply {
  const sight = see(request);
  const reply = typeof request.toolChoice === 'object' ? forced(request.toolChoice.name, sight) : step(sight);
  if (request.toolChoice === 'required' && 'say' in reply) {
    throw new BadRequest(
      'tool_choice',
      "'required' cannot be honoured: no offered function fits this conversation, and the offline stand-in does not call one at random",
    );
  }
  return reply;
}

function step(sight: Sight): Reply {
  const choice = pickSkill(sight);
  if (choice.kind === 'none') return plainAnswer(sight);
  if (choice.kind === 'two') return askWhich(sight, choice.lines);
  const { slug } = choice.line;
  const instructions = sight.loaded.get(slug);
  if (instructions === undefined) return load(slug, sight);
  return work(slug, instructions, sight);
}

function load(slug: string, sight: Sight): Reply {
  const { loader } = sight.toolbox;
  if (!loader) return plainAnswer(sight);
  const tried = sight.calls.find((call) => call.name === loader.name);
  if (tried || sight.turn.steps >= mostSteps - 1) return noLoad(sight, slug, tried ? failureOf(tried) : undefined);
  return { call: { name: loader.name, arguments: { [loader.parameter]: slug } } };
}

function work(slug: string, instructions: string, sight: Sight): Reply {
  const { toolbox, calls, attachments } = sight;
  const ordered = toolsInOrder(
    instructions,
    toolbox.callable.map((tool) => tool.name),
  ).map((name) => toolbox.callable.find((tool) => tool.name === name)!);
  const files = readFiles(calls, toolbox.callable, attachments);
  const materials = materialsOf(files, sight.pasted);
  const options = { title: titleFor(slug, materials, sight.request), request: sight.request, headings: headingsWanted(instructions) };
  const brief = materials.length > 0 ? composeBrief(materials, options) : undefined;
  const failed = calls.find((call) => call.name !== toolbox.loader?.name && failureOf(call) !== undefined);
  if (failed) return stopped(sight, slug, failed, brief);
  const next =
    sight.turn.steps < mostSteps - 1
      ? nextCall({ ordered, attachments, calls, files, hasMaterial: brief !== undefined, request: sight.request })
      : undefined;
  if (!next)
    return report(sight, { slug, ordered, brief, partial: files.filter((file) => file.partial).map((file) => file.attachment.name) });
  const args = fillArguments(next.tool, { request: sight.request, artifacts: next.artifacts, brief, offset: next.offset });
  return { call: wrap(next.tool.name, args, toolbox, sight.offered) };
}

/** `tool_choice` names a function: it is called once, then the conversation goes on as usual. */
function forced(name: string, sight: Sight): Reply {
  const tool = sight.offered.find((offered) => offered.name === name)!;
  if (sight.calls.some((call) => call.name === name)) return step(sight);
  const { loader } = sight.toolbox;
  const choice = pickSkill(sight);
  if (loader?.name === name && choice.kind === 'one') return { call: { name, arguments: { [loader.parameter]: choice.line.slug } } };
  return {
    call: { name, arguments: fillArguments(tool, { request: sight.request, artifacts: sight.attachments.map((file) => file.id) }) },
  };
}
