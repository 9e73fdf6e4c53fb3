import type { UserContent } from './chat-message.js';
import type { ResultImage } from './history.js';
import type { ModelEntry } from './models.js';
import { escapeMarks, oneLine } from './one-line.js';

/** Artifact id to a URL that the model may look at; what is missing or empty could not be fetched. */
export type ImageUrls = ReadonlyMap<string, string>;

/** Images of a round, each with the call whose result holds it. */
export interface CalledImage extends ResultImage {
  readonly callId: string;
}

const lineOf = ({ name, mime, artifact }: ResultImage): string => `${escapeMarks(oneLine(name))} (${escapeMarks(oneLine(mime))}), artifact: ${artifact}`;

/** What the result itself says of its images: all there is where the model does not look at any. */
export function imageNote(images: readonly ResultImage[], { images: looks }: ModelEntry, urls: ImageUrls): string {
  return images
    .map((image) => {
      const where = !looks ? 'not shown: this model looks at no images' : urls.get(image.artifact) ? 'shown below' : 'not shown: it could not be fetched';
      return `\n[Image ${lineOf(image)}; ${where}]`;
    })
    .join('');
}

/** Providers take images in messages of the user alone: one behind the results says what they are. Undefined without any. */
export function imageContent(images: readonly CalledImage[], { images: looks }: ModelEntry, urls: ImageUrls): UserContent | undefined {
  const shown = images.filter(({ artifact }) => looks && urls.get(artifact));
  if (shown.length === 0) return undefined;
  const text = `<result_images>\n${shown.map((image) => `${lineOf(image)}, from the result of ${image.callId}`).join('\n')}\n</result_images>`;
  return [{ type: 'text', text }, ...shown.map(({ artifact }) => ({ type: 'image_url' as const, image_url: { url: urls.get(artifact)! } }))];
}
