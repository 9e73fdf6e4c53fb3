import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { WireLog } from '@skillgate/wire/wire-log';

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
  /** Tells the waiting user what happens; `fraction` is 0 to 1. Never fails the call. */
  progress(message: string, fraction?: number): void;
  readonly log: WireLog;
}
