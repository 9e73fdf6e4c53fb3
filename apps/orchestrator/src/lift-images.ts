import { artifactId } from '@skillgate/contracts/words';

/** Bytes of one image that a model gets to see. */
export const mostImageBytes = 4 * 1024 * 1024;
/** Images of one result. */
const mostImages = 8;

/** An image as a result holds it: its bytes, or the file that it is. */
export type LiftedImage = { mime: string; bytes: Buffer } | { artifact: string };

export interface Lifted {
  /** The result with a word in the place of each image. */
  content: string;
  images: LiftedImage[];
}

/**
 * Takes images out of a result, so that no model reads base64: parts `{ type: 'image', data, mimeType }` as MCP has them, parts
 * `{ type: 'image', artifact }` of executors, and data URLs anywhere. What is none in truth is left out, since one broken image makes
 * providers refuse the whole chat.
 *
 * @param content JSON, or text
 */
export function liftImages(content: string): Lifted {
  if (!/data:image\/|"image"/.test(content)) return { content, images: [] };
  const images: LiftedImage[] = [];
  let changed = false;
  const put = (image: LiftedImage | null): string => {
    changed = true;
    if (!image) return '[an image that cannot be shown is left out]';
    if (images.length >= mostImages) return '[one more image is left out]';
    images.push(image);
    return `[image ${images.length}]`;
  };
  const inText = (text: string) => text.replace(dataUrl, (_, base64: string) => put(imageOf(base64)));
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const part = value as { type?: unknown; data?: unknown; artifact?: unknown };
    if (part.type === 'image' && typeof part.data === 'string') return put(imageOf(part.data.replace(/^data:[^,]*,/, '')));
    if (part.type === 'image' && artifactId.safeParse(part.artifact).success) return put({ artifact: part.artifact as string });
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  try {
    const parsed: unknown = JSON.parse(content);
    const lifted = JSON.stringify(walk(parsed));
    return changed ? { content: lifted, images } : { content, images: [] };
  } catch {
    return { content: inText(content), images };
  }
}

const dataUrl = /data:image\/[\w.+-]{1,40}(?:;[\w=.+-]{1,60}){0,4};base64,([A-Za-z0-9+/_-]{8,}={0,2})/g;

function imageOf(base64: string): LiftedImage | null {
  if (base64.length > (mostImageBytes * 4) / 3 + 4) return null;
  const bytes = Buffer.from(base64, 'base64');
  const mime = imageType(bytes);
  return mime ? { mime, bytes } : null;
}

/** What the bytes say they are; undefined for all but the kinds that every provider with eyes takes. */
export function imageType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  const text = bytes.toString('latin1', 0, 12);
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  return /^RIFF[^]{4}WEBP/.test(text) ? 'image/webp' : undefined;
}
