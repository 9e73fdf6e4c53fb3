import type { HouseOverHttp } from './reach-api.js';

export interface Asked<T> {
  readonly ok: boolean;
  /** `detail` of a problem (RFC 9457) where it is none of the answers. */
  readonly body: T & { readonly detail?: string };
}

/** One request of REST and its answer, whatever it is. @throws when nobody answers, or not in JSON */
export async function askApi<T>({ url, key }: HouseOverHttp, method: string, path: string, sent?: unknown): Promise<Asked<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: sent === undefined ? undefined : JSON.stringify(sent),
  }).catch((error: Error) => {
    throw new Error(`no house answers at ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`, { cause: error });
  });
  return { ok: response.ok, body: (await response.json()) as Asked<T>['body'] };
}
