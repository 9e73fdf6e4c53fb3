import type { StreamInfo } from '@nats-io/jetstream';
import type { Stream } from '@skillgate/contracts/define-stream';
import { breach, isUnavailable } from '@skillgate/contracts/refusal';
import { compareStream, wantedConfig } from './compare-stream.js';
import { apiCodes, askJetStream, unexpected } from './jetstream-api.js';
import type { WireParts } from './serve-subject.js';

const patienceMs = 10_000; // a cluster that elects its leader answers after some seconds
const pauseMs = 500;

/**
 * Creates what is absent and widens limits up to what is declared. A stream that differs in anything else, or is wider,
 * is left alone.
 *
 * @throws a breach `stream-differs` that says what differs and what to do; Unavailable when JetStream stays away
 */
export async function reconcileStreams(parts: WireParts, streams: readonly Stream[]): Promise<void> {
  for (const stream of streams) await patiently(() => reconcile(parts, stream));
}

async function reconcile({ connection, requests }: WireParts, stream: Stream): Promise<void> {
  const { name } = stream;
  const { log, service } = connection;
  if (stream.owner !== service) throw breach('foreign-stream', `Stream "${name}" belongs to "${stream.owner}"; "${service}" may not create it`);
  const wanted = wantedConfig(stream);
  const found = await askJetStream<StreamInfo>(requests, `STREAM.INFO.${name}`, null);
  if (found.error?.err_code === apiCodes.streamNotFound) {
    const { error } = await askJetStream(requests, `STREAM.CREATE.${name}`, wanted);
    if (error) throw unexpected(`Creating stream "${name}" (${wanted.max_bytes} bytes, ${wanted.storage})`, error);
    log.info({ stream: name }, 'a stream was created');
    return;
  }
  if (found.error) throw unexpected(`Looking at stream "${name}"`, found.error);
  const { config } = found.ok;
  const { standing, narrower } = compareStream(stream, config);
  if (standing.length > 0) throw breach('stream-differs', whatToDo(stream, standing));
  if (narrower.length === 0) return;
  const limits = Object.fromEntries(narrower.map((key) => [key, wanted[key as keyof typeof wanted]]));
  const { error } = await askJetStream(requests, `STREAM.UPDATE.${name}`, { ...config, ...limits });
  if (error) throw unexpected(`Widening ${narrower.join(', ')} of stream "${name}"`, error);
  log.info({ stream: name, ...limits }, 'a stream got the room that its declaration gives it');
}

const whatToDo = ({ name, owner }: Stream, differences: readonly string[]): string =>
  `Stream "${name}" on the NATS server is not the one that "${owner}" declares: ${differences.join('; ')}. Nothing was changed. ` +
  `Declare it as it is, or make it as declared ("nats stream edit ${name}"; where that is refused, let its consumers finish and ` +
  `remove it with "nats stream rm ${name}"), then start "${owner}" again`;

async function patiently(act: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + patienceMs; ; ) {
    try {
      return await act();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
