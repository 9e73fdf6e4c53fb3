import type { ChatRequest, OfferedTool } from '../protocol/chat-request.js';
import { attachmentsIn, withoutAttachments, type Attachment } from '../read/attachments.js';
import { readCatalog, type CatalogLine } from '../read/catalog.js';
import { readLoadedSkills } from '../read/loaded-skills.js';
import { splitRequest } from '../read/request.js';
import { readToolbox, unwrap, type Toolbox } from '../read/toolbox.js';
import { readTurn, type AnsweredCall, type Turn } from '../read/turn.js';

/** All that one request shows. */
export interface Sight {
  turn: Turn;
  /** What the user asks, without pasted material and lists of files. */
  request: string;
  pasted: string;
  /** Files of the user's last message, else of the nearest earlier one that had any. */
  attachments: Attachment[];
  catalog: CatalogLine[];
  /** Instructions by slug. */
  loaded: Map<string, string>;
  offered: OfferedTool[];
  toolbox: Toolbox;
  /** Calls of this turn, opened from a bridge. */
  calls: AnsweredCall[];
}

export function see(request: ChatRequest): Sight {
  const turn = readTurn(request.messages);
  const offered = request.toolChoice === 'none' ? [] : request.tools;
  // Results of the loading tool may carry schemas too; which tool that is, the offered ones tell.
  const { loader } = readToolbox(offered, []);
  const loads = [...turn.callsBefore, ...turn.calls].filter((call) => call.name === loader?.name).map((call) => call.result);
  const toolbox = readToolbox(offered, [...turn.system, ...turn.asides, ...loads]);
  const asked = splitRequest(withoutAttachments(turn.asked));
  const attachments = [turn.asked, ...turn.askedBefore].map(attachmentsIn).find((files) => files.length > 0) ?? [];
  return {
    turn,
    request: asked.request,
    pasted: asked.pasted,
    attachments: asked.pasted !== '' && attachmentsIn(turn.asked).length === 0 ? [] : attachments,
    catalog: readCatalog([...turn.system, ...turn.asides]),
    loaded: readLoadedSkills(turn, loader),
    offered,
    toolbox,
    calls: turn.calls.map((call) => unwrap(call, toolbox.bridge)),
  };
}
