import { capResult } from '@skillgate/prompt/cap-result';
import type { ResultImage, ResultItem } from '@skillgate/prompt/history';
import { throwIfLeft } from './leave-turn.js';
import { imageType, type LiftedImage, liftImages, mostImageBytes } from './lift-images.js';
import type { TurnContext } from './turn-context.js';
import { keepFile, readFile } from './turn-files.js';

/** Tokens of one result in the context. */
const resultLimit = { limit: 8_000, unit: 'tokens' as const };

/** How a result enters the history. */
export type KeptResult = Pick<ResultItem, 'content' | 'images'>;

/**
 * The one place through which every result goes into the history: images become files that the model looks at, and of a text that is
 * longer than a context can hold the head and the tail stay and the whole becomes a file. What cannot be kept as a file is cut and
 * says so; a result never fails for it.
 *
 * @throws when the turn goes on elsewhere
 */
export async function keepResult(context: TurnContext, tool: string, callId: string, content: string): Promise<KeptResult> {
  const lifted = liftImages(content);
  const images: ResultImage[] = [];
  let text = lifted.content;
  for (const [n, image] of lifted.images.entries()) {
    const kept = await keepImage(context, `${tool}-${n + 1}`, image);
    if (kept) images.push(kept);
    else text += `\n[image ${n + 1} cannot be shown]`;
  }
  const { cut } = capResult(text, resultLimit);
  const rest = cut > 0 ? await keepWhole(context, tool, callId, text) : '';
  throwIfLeft(context.signal);
  return { content: capResult(text, { ...resultLimit, ...(rest && { rest }) }).text, ...(images.length > 0 && { images }) };
}

async function keepWhole(context: TurnContext, tool: string, callId: string, text: string): Promise<string> {
  const json = /^\s*[[{]/.test(text);
  const file = { name: `${tool || 'result'}-${callId.slice(-6)}.${json ? 'json' : 'txt'}`, mime: json ? 'application/json' : 'text/plain', bytes: Buffer.from(text) };
  try {
    const { id } = await keepFile(context, file);
    return `the whole is the file ${file.name}, artifact: ${id}`;
  } catch (error) {
    context.log.warn({ err: error, tool }, 'a long result could not be kept as a file; the model reads its head and tail');
    return 'the rest was not kept: ask for less at once';
  }
}

async function keepImage(context: TurnContext, name: string, image: LiftedImage): Promise<ResultImage | null> {
  try {
    if ('artifact' in image) return { artifact: image.artifact, ...(await look(context, image.artifact)) };
    const file = { name: `${name}.${image.mime.slice('image/'.length)}`, mime: image.mime, bytes: image.bytes };
    const { id } = await keepFile(context, file);
    context.images.set(id, urlOf(file));
    return { artifact: id, name: file.name, mime: file.mime };
  } catch (error) {
    context.log.warn({ err: error }, 'an image of a result could not be kept; the model is not shown it');
    return null;
  }
}

const urlOf = ({ mime, bytes }: { mime: string; bytes: Buffer }): string => `data:${mime};base64,${bytes.toString('base64')}`;

async function look(context: TurnContext, artifact: string): Promise<{ name: string; mime: string }> {
  const { name, bytes } = await readFile(context, artifact, mostImageBytes);
  const mime = imageType(bytes);
  if (!mime) throw new Error(`artifact ${artifact} is no image that a model can look at`);
  context.images.set(artifact, urlOf({ mime, bytes }));
  return { name, mime };
}

/** Fetches what the history has of images and this turn has not seen yet. One that cannot be had is told as such. */
export async function fetchImages(context: TurnContext): Promise<void> {
  if (!context.toolsAllowed) return;
  const wanted = context.journal.visible.flatMap((item) => (item.kind === 'result' ? (item.images ?? []) : []));
  for (const { artifact } of wanted) {
    if (context.images.has(artifact)) continue;
    await look(context, artifact).catch((error: unknown) => {
      if (context.signal.aborted) throw context.signal.reason;
      context.images.set(artifact, ''); // not asked for again in this turn
      context.log.warn({ err: error, artifact }, 'an image of an earlier result could not be fetched');
    });
  }
}
