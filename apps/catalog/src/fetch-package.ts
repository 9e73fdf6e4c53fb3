import { maxArtifactBytes, readPiece, statArtifact } from '@skillgate/contracts/calls/artifacts';
import { plainText } from '@skillgate/contracts/plain-text';
import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import type { SkillFinding } from '@skillgate/contracts/calls/skill-versions';
import type { PackageFile } from '@skillgate/skill-format/digest';
import { readZip } from '@skillgate/skill-format/import/read-zip';
import { zipLimits } from '@skillgate/skill-format/import/zip-limits';
import { z } from 'zod';
import type { CatalogRoom } from './catalog-room.js';

/** Findings in a refusal: more of them would not fit into a message, and nobody reads them at once. */
const mostFindings = 100;

const folder = z.strictObject({
  files: z.array(z.strictObject({ path: z.string().min(1).max(500), text: plainText(0, 2 ** 21).optional(), base64: z.base64().optional() })).min(1).max(1_000),
});

/** The files of an uploaded package, a zip or JSON. Refusals: `skill-package-invalid`, `artifact-too-large`, `unknown-artifact`. */
export async function fetchPackage(ask: CatalogRoom['ask'], authority: string, id: string): Promise<readonly PackageFile[]> {
  const bytes = await fetchBytes(ask, authority, id);
  if (looksLikeJson(bytes)) return readFolder(bytes);
  const zip = await readZip(bytes);
  if (zip.ok) return zip.files;
  throw packageInvalid(zip.problems.map(({ rule, message, line = 1, column = 1 }) => ({ rule, level: 'error', slug: '', file: '', line, column, message, advice: 'Correct the package and upload it again.' })));
}

async function fetchBytes(ask: CatalogRoom['ask'], authority: string, id: string): Promise<Buffer> {
  const { bytes, pieces } = await ask(statArtifact, { authority, id });
  const limit = Math.min(zipLimits.zipBytes, maxArtifactBytes);
  if (bytes > limit) throw refuse('artifact-too-large', `A package may have ${limit} bytes, and this has ${bytes}. Leave out what no model reads.`, { limitBytes: limit });
  const read: Buffer[] = [];
  for (let index = 0; index < pieces; index++) read.push(Buffer.from((await ask(readPiece, { authority, id, index })).base64, 'base64'));
  return Buffer.concat(read);
}

const looksLikeJson = (bytes: Buffer): boolean => /^\s*\{/.test(bytes.toString('latin1', 0, 64)); // a zip begins with PK

function readFolder(bytes: Buffer): PackageFile[] {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse('skill-package-invalid', `The package is neither a zip nor JSON: ${(error as Error).message}.`, { findings: [] });
  }
  const parsed = folder.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw refuse('skill-package-invalid', `The package's JSON is {"files":[{"path","text" or "base64"}]}; ${path.join('.') || 'it'}: ${message}.`, { findings: [] });
  }
  return parsed.data.files.map(({ path, text, base64 }) => {
    if ((text === undefined) === (base64 === undefined)) throw refuse('skill-package-invalid', `The file ${JSON.stringify(path)} needs either "text" or "base64".`, { findings: [] });
    return { path, bytes: text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text, 'utf8') };
  });
}

/** All or nothing: with every reason, file and line. */
export function packageInvalid(findings: readonly SkillFinding[]): HouseError {
  const first = findings.slice(0, 3).map(({ slug, file, line, message }) => `${[slug, file].filter(Boolean).join('/') || 'package'}:${line}: ${message}`);
  const more = findings.length > 3 ? ` And ${findings.length - 3} more.` : '';
  return refuse('skill-package-invalid', `Nothing was taken over. ${first.join(' ')}${more}`, { findings: findings.slice(0, mostFindings), findingsInAll: findings.length });
}
