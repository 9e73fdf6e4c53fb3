// An executor without any library: docs/executor-protocol.md in Node's own modules.
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from './canonical-json.mjs';
import { Grants } from './grant.mjs';
import { Ledger } from './ledger.mjs';
import { Nats } from './nats.mjs';
import { breach, Refusal, refuse, unavailable } from './refusal.mjs';
import { tools } from './tools.mjs';

const name = process.env.EXECUTOR_NAME ?? 'plain';
const { SKILLGATE_NATS_URL: url, SKILLGATE_NATS_PASSWORD: password } = process.env;
const maxReplyBytes = 256 * 1024;
const heartbeatMs = 5_000;
const mostRunning = 32;
const remembered = 1_000; // calls

const instance = randomUUID();
const gone = () => {
  console.error('the connection to NATS ended');
  process.exit(1); // whoever runs this process starts it again; reconnecting would be kinder
};
const nats = await Nats.connect({ url, user: name, password, onClose: gone });
const ledger = new Ledger(nats, name, instance);
const grants = new Grants(name, async () => {
  const headers = { deadline: Date.now() + 5_000 };
  const answer = JSON.parse((await nats.request(`call.v1.registry.public-keys.${name}`, '{}', { headers })).data.toString('utf8'));
  if (!answer.ok) throw unavailable('registry-away', 'The registry gave no keys. Try again in a moment.');
  return answer.ok;
});

const running = new Map(); // AbortController by cancel id
const outcomes = new Map(); // of this instance, by account and call id
let draining = false;

/** Everything is answered, and always in the same envelope. */
async function serve(message, work) {
  if (!message.reply) return;
  let answer;
  try {
    answer = { ok: await work(message) };
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    answer = { error: error instanceof Refusal ? error.toWire() : { kind: 'defect', slug: 'internal', message: 'internal error' } };
  }
  nats.publish(message.reply, JSON.stringify(answer));
}

function decode(data, isGood) {
  let value;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    throw breach('invalid-input', 'The body is no JSON');
  }
  if (!isGood(value)) throw breach('invalid-input', 'The body breaks its contract');
  return value;
}
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One delivery on tool.v1.<name>.<tool>: deadline, form, grant, arguments, and then the work. */
async function answerCall({ subject, headers, data, reply }) {
  const toolName = subject.split('.').at(-1);
  const { 'call-id': callId, 'turn-id': turn, 'cancel-id': cancelId = reply } = headers;
  const deadline = Number(headers.deadline) || Date.now() + 600_000;
  if (deadline <= Date.now()) throw unavailable('deadline-passed', 'It was not started: its deadline had passed');
  const { arguments: args } = decode(data, (body) => isObject(body) && isObject(body.arguments));
  const claims = await grants.check(headers.grant, { turn, tool: toolName, callId, args });
  const tool = tools.get(toolName);
  if (!tool) throw refuse('unknown-tool', `The executor "${name}" has no tool "${toolName}"; it has ${[...tools.keys()].join(', ')}.`);
  if (!callId) throw breach('call-id-missing', `the caller of ${toolName} sent no call-id header`);
  const problem = tool.check(args);
  if (problem) throw refuse('invalid-arguments', `The arguments of ${toolName} do not fit: ${problem}. Nothing was done.`);

  const key = Ledger.key(claims.account, callId);
  const fingerprint = createHash('sha256').update(canonicalJson([toolName, turn, args])).digest('hex');
  const known = outcomes.get(key);
  if (known && known.fingerprint !== fingerprint) throw refuse('call-id-reused', 'This call id was used before for another call.');
  const call = { tool, toolName, args, claims, callId, key, fingerprint, cancelId, deadline };
  const outcome = known?.outcome ?? remember(key, fingerprint, run(call));
  const { result, error } = await outcome;
  if (error) throw new Refusal(error.kind, error.slug, error.message, error.details);
  return result;
}

function remember(key, fingerprint, outcome) {
  outcomes.set(key, { fingerprint, outcome });
  if (outcomes.size > remembered) outcomes.delete(outcomes.keys().next().value);
  return outcome;
}

/** Never rejects: how a call ended is its outcome, for this delivery and for those that follow. */
async function run(call) {
  const { tool, claims, key, fingerprint, cancelId, deadline } = call;
  if (running.size >= mostRunning) return forget(key, unavailable('executor-busy', 'This executor has too many calls. Try again in a moment.'));
  const stop = new AbortController();
  const abort = (slug, message) => stop.abort(tool.effect === 'read' ? unavailable(slug, message) : refuse(slug, `${message}. Part of its work may be done: look before you repeat it.`));
  const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve({ error: stop.signal.reason.toWire() })));
  const timers = [
    setTimeout(() => abort('deadline-passed', 'Its deadline passed'), Math.min(deadline - Date.now(), 2 ** 31 - 1)),
    setTimeout(() => stop.abort(refuse('tool-timeout', `It was stopped after ${tool.timeoutMs} ms. Ask it for less at once.`)), tool.timeoutMs),
  ];
  running.set(cancelId, { abort });
  try {
    let revision;
    if (tool.effect !== 'read' || claims.call) {
      const claimed = await ledger.claim(key, { turn: claims.turn, fingerprint }, stop.signal);
      if (claimed.entry) return { result: claimed.entry.result, error: claimed.entry.error };
      ({ revision } = claimed);
    }
    const outcome = await Promise.race([work(call, stop.signal), stopped]);
    if (revision !== undefined) await ledger.record(key, revision, { state: outcome.error ? 'failed' : 'done', turn: claims.turn, fingerprint, ...outcome });
    if (outcome.error && tool.effect === 'read') outcomes.delete(key); // a read that gave no answer may run again
    return outcome;
  } catch (error) {
    return forget(key, error);
  } finally {
    timers.forEach(clearTimeout);
    running.delete(cancelId);
  }
}

const forget = (key, error) => {
  outcomes.delete(key);
  return { error: error.toWire?.() ?? unavailable('internal', 'The executor failed inside.').toWire() };
};

async function work({ tool, toolName, args, claims, callId }, signal) {
  const { account, user, chat, turn } = claims;
  const progress = (message, fraction) => nats.publish(`progress.v1.${name}.${turn}`, JSON.stringify({ callId, tool: toolName, message, fraction }));
  try {
    const result = { content: await tool.run(args, { account, user, chat, turn, callId, signal, progress }), artifacts: [] };
    const bytes = Buffer.byteLength(JSON.stringify({ ok: result }));
    if (bytes > maxReplyBytes) return { error: refuse('result-too-large', `The result has ${bytes} bytes, over the limit of ${maxReplyBytes}. Ask for less of it.`).toWire() };
    return { result };
  } catch (error) {
    if (signal.aborted) return { error: signal.reason.toWire() };
    if (error instanceof Refusal) return { error: error.toWire() };
    console.error(error);
    return { error: { kind: 'defect', slug: 'internal', message: 'The tool failed inside. Its log has the cause.' } };
  }
}

async function answerSettle({ headers, data }) {
  const question = decode(data, (body) => isObject(body) && ['account', 'turn', 'callId'].every((field) => typeof body[field] === 'string'));
  return ledger.settle(question, Number(headers.deadline) || Date.now() + 5_000);
}

/** Changes of what accounts may use, from now on: grants of an older epoch are refused. */
async function watchPolicy() {
  const [stream, subject, consumer] = ['EVENTS_ACCOUNTS', 'event.v1.accounts.policy-raised', randomUUID()];
  const deliverTo = `${nats.inbox}.policy.${consumer}`;
  nats.subscribe(deliverTo, ({ data }) => {
    try {
      const { account, policyEpoch } = JSON.parse(data.toString('utf8'));
      grants.raise(account, policyEpoch);
    } catch {
      // a sign of life of the server
    }
  });
  const config = { name: consumer, deliver_subject: deliverTo, filter_subject: subject, deliver_policy: 'new', ack_policy: 'none', replay_policy: 'instant', mem_storage: true };
  await nats.request(`$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${subject}`, JSON.stringify({ stream_name: stream, action: 'create', config }));
}

const announce = (state) =>
  nats.publish(`announce.v1.${name}`, JSON.stringify({ executor: name, version: '0.1.0', instance, state, tools: [...tools.values()].map(({ manifest }) => manifest) }));

await watchPolicy();
const calls = new Set();
const track = (work) => {
  calls.add(work);
  void work.finally(() => calls.delete(work));
};
// In a queue group of the executor's own: each call goes to one instance. Cancellations go to all.
const stopHearing = [
  nats.subscribe(`tool.v1.${name}.*`, (message) => track(serve(message, answerCall)), name),
  nats.subscribe(`settle.v1.${name}`, (message) => track(serve(message, answerSettle)), name),
];
nats.subscribe(`cancel.v1.${name}`, ({ headers }) => running.get(headers['cancel-id'])?.abort('cancelled', 'It was cancelled by its caller'));
await nats.flush();
announce('serving');
const beat = setInterval(() => announce('serving'), heartbeatMs);

process.on('SIGTERM', async () => {
  if (draining) return;
  draining = true;
  clearInterval(beat);
  announce('leaving');
  stopHearing.forEach((stop) => stop());
  await nats.flush();
  const end = setTimeout(() => running.forEach(({ abort }) => abort('draining', 'This instance is stopping')), 20_000);
  await Promise.all(calls);
  clearTimeout(end);
  await nats.flush();
  process.exit(0);
});
