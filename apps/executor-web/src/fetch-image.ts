import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { fileTypeFromBuffer } from 'file-type';
import { z } from 'zod';
import { download } from './download.js';
import { publicInternet, type Reach } from './reach.js';

/** Bytes of one image that the house shows to a model. */
const mostBytes = 4 * 1024 * 1024;
const mostMs = 15_000;

/** What every provider with eyes takes. */
const shown: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' };

/** @param reach where it may go: the public internet, but in tests */
export const fetchImageWithin = (reach: Reach) =>
  defineTool({
    name: 'fetch_image',
    profile: 'base',
    effect: 'read',
    description:
      'Fetch a public image by its address so that you can look at it: PNG, JPEG, GIF or WebP of at most 4 MiB. It becomes a file of the user. ' +
      'Not for web pages, PDF or SVG, and not for addresses that need a sign-in.',
    input: z.strictObject({ url: z.string().min(1).max(4_096).describe('An http or https address.') }),
    output: z.object({
      /** The house shows it to the model, and in the text its place. */
      image: z.object({ type: z.literal('image'), artifact: z.string() }),
      name: z.string(),
      mime: z.string(),
      bytes: z.number().int(),
      from: z.string().describe('Host that sent it.'),
    }),
    timeoutMs: 25_000,
    async execute({ url: address }, { artifacts, signal }) {
      const { bytes, url } = await download(address, reach, { bytes: mostBytes, ms: mostMs }, signal);
      const mime = (await fileTypeFromBuffer(bytes))?.mime ?? '';
      const extension = shown[mime];
      if (!extension) throw notShown(mime);
      const { id, name } = await artifacts.write({ name: nameOf(url, extension), mime, bytes });
      return { image: { type: 'image' as const, artifact: id }, name, mime, bytes: bytes.length, from: url.host };
    },
  });

export const fetchImage = fetchImageWithin(publicInternet);

/** By its own bytes: what a server says of them is not looked at. */
const notShown = (mime: string): Error =>
  refuse('not-an-image', `What stands there is ${mime === '' ? 'no image' : `of the type ${mime}`}; PNG, JPEG, GIF and WebP can be looked at. Ask the user to attach the image as one of them.`);

const longestName = 80;

/** The last part of the path, with the extension that is true. */
function nameOf({ pathname }: URL, extension: string): string {
  const last = pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // as it was sent
  }
  const stem = name.replace(/\.[^.]{1,5}$/, '').toWellFormed().slice(0, longestName).trim();
  return `${stem === '' ? 'image' : stem}.${extension}`;
}
