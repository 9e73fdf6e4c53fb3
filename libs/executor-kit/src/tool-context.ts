import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { WireLog } from '@skillgate/wire/wire-log';
import type { Scrub } from './scrub.js';
import type { ToolCredential } from './tool-credential.js';

/** A file as a tool holds it. */
export interface ArtifactFile {
  name: string;
  /** Media type, as in RFC 6838. */
  mime: string;
  bytes: Uint8Array;
}

/** The account's files, opened with the call's grant. Both throw the refusals of `call.v1.artifacts.*`. */
export interface ToolArtifacts {
  read(id: string): Promise<ArtifactFile>;
  /** The reference also joins the `artifacts` of the call's result. */
  write(file: ArtifactFile): Promise<ArtifactRef>;
}

/**
 * The account's credential of an outside system that the call's tool works with, leased for this call. Asked for again it is
 * the same, until shortly before its end. Do not keep it: the next call leases its own.
 *
 * @param options.rejected one that the outside system has just refused (401): it is renewed, or the account is told to reconnect
 * @throws refusals that say how to connect: `integration-not-connected`, `integration-expired`; `integration-not-granted`;
 *   unavailable while a token cannot be renewed
 */
export type LeaseForTool = (integration: string, options?: { rejected?: ToolCredential }) => Promise<ToolCredential>;

/** What a tool knows of its call. Every id comes from the grant, none from the arguments. */
export interface ToolContext {
  readonly account: string;
  readonly user: string;
  readonly chat: string;
  readonly turn: string;
  readonly callId: string;
  /** Fires when the caller cancels, its deadline passes, or `timeoutMs` is over. */
  readonly signal: AbortSignal;
  readonly artifacts: ToolArtifacts;
  readonly credential: LeaseForTool;
  /** Tells the waiting user what happens; `fraction` is 0 to 1. Never fails the call. */
  progress(message: string, fraction?: number): void;
  readonly log: WireLog;
  /** Takes the secrets of leased credentials out of what a tool gives back or throws; the kit's own. */
  readonly scrub?: Pick<Scrub, 'value' | 'error'>;
}
