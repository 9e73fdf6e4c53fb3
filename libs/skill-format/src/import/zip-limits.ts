/** What a zip may hold. Everything is known from its directory before a byte is inflated. */
export interface ZipLimits {
  /** Of the zip itself. */
  readonly zipBytes: number;
  /** Files and folders. */
  readonly entries: number;
  /** Of all files, inflated. */
  readonly totalBytes: number;
  /** Of one file, inflated. */
  readonly fileBytes: number;
  /** Inflated to deflated size of one file; prose comes to about 4, a table of numbers to 20. */
  readonly ratio: number;
  /** Parts of a path. */
  readonly depth: number;
}

/** A collection of some hundred skills fits. */
export const zipLimits: ZipLimits = {
  zipBytes: 16 * 2 ** 20,
  entries: 2_000,
  totalBytes: 64 * 2 ** 20,
  fileBytes: 8 * 2 ** 20,
  ratio: 100,
  depth: 12,
};
