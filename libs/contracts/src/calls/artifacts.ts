import { z } from 'zod';
import { defineCall } from '../define-call.js';
import { artifactRef } from '../tool-call.js';
import { artifactId, digest, jws } from '../words.js';

/** Bytes of one piece; base64 of it stays under the message limit of 256 KiB. */
export const pieceBytes = 128 * 1024;
/** Largest artifact in bytes. */
export const maxArtifactBytes = 64 * 1024 * 1024;

/** The caller's right: a ticket (gateway, orchestrator) or a grant whose audience is the caller (executors). */
const authority = jws;
const refusals = [
  'bad-authority',
  'unknown-artifact',
  'artifact-incomplete',
  'artifact-finished',
  'artifact-too-large',
  'digest-mismatch',
  'invalid-media-type',
  'invalid-piece',
];

export const beginArtifact = defineCall('call.v1.artifacts.begin', {
  input: z.object({
    authority,
    name: z.string().min(1).max(200),
    mime: z.string().min(3).max(200),
    bytes: z.number().int().nonnegative(),
    sha256: digest,
  }),
  output: z.object({ id: artifactId }),
  refusals,
  perCaller: true,
});

export const writePiece = defineCall('call.v1.artifacts.write-piece', {
  input: z.object({ authority, id: artifactId, index: z.number().int().nonnegative(), base64: z.string() }),
  output: z.object({}),
  refusals,
  perCaller: true,
});

/** Checks size and digest over all pieces, then makes the artifact visible. */
export const finishArtifact = defineCall('call.v1.artifacts.finish', {
  input: z.object({ authority, id: artifactId }),
  output: artifactRef,
  refusals,
  perCaller: true,
  deadlineMs: 30_000,
});

export const statArtifact = defineCall('call.v1.artifacts.stat', {
  input: z.object({ authority, id: artifactId }),
  output: artifactRef.extend({ sha256: digest, pieces: z.number().int().nonnegative() }),
  refusals,
  perCaller: true,
});

export const readPiece = defineCall('call.v1.artifacts.read-piece', {
  input: z.object({ authority, id: artifactId, index: z.number().int().nonnegative() }),
  output: z.object({ base64: z.string() }),
  refusals,
  perCaller: true,
});

export const listArtifacts = defineCall('call.v1.artifacts.list', {
  input: z.object({ authority, limit: z.number().int().min(1).max(200).default(50) }),
  output: z.object({ artifacts: z.array(artifactRef.extend({ createdAt: z.iso.datetime() })) }),
  refusals,
  perCaller: true,
});
