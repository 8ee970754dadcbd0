import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseWhipUrl } from '@/lib/core/targets/whip-url';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { WhipAttempt } from './whip-attempt';
import { parseWhipRequest, replyOfFinding, type WhipRequest, type WhipReply } from './whip-requests';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const runningReply: WhipReply = { id: 'push', finding: null, bytes: 0, stalledMs: 0 };

/** Starts an attempt whose rtc process responds with the results of `answer`. */
function startAttempt(answer: (request: WhipRequest) => Promise<WhipReply>) {
  const destination = parseWhipUrl('https://a.example/whip/channel#token');
  if (typeof destination === 'string') throw new Error(destination);
  const bus = new PacketBus({ onSubscriberError: () => undefined });
  const requests: WhipRequest[] = [];
  const onFlowing = vi.fn<() => void>();
  const whip = {
    ask: (request: WhipRequest) => {
      requests.push(request);
      return answer(request);
    },
    url: () => 'http://127.0.0.1:4000',
  };
  const push = new WhipAttempt({
    destination,
    source: {
      streamId: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
      playbackId: 'abcd1234efgh5678',
      folder: 'source',
    },
    bus,
    videoOnly: false,
    whip,
    now: () => Date.now(),
    onFlowing,
  });
  return { push, bus, requests, onFlowing, kinds: () => requests.map(({ kind }) => kind) };
}

const respondWith = (progress: () => Partial<WhipReply>) => (request: WhipRequest) =>
  Promise.resolve(request.kind === 'progress' ? { ...runningReply, ...progress() } : runningReply);

test('an attempt reports flowing media once bytes were sent, and closes its push at the end of the publish', async () => {
  let bytes = 0;
  const { push, bus, requests, onFlowing, kinds } = startAttempt(
    respondWith(() => ({ bytes: (bytes += 1_000) })),
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(onFlowing).toHaveBeenCalledTimes(1);
  expect(push.bytes).toBe(3_000);
  expect(requests[0]).toMatchObject({ kind: 'open', url: 'https://a.example/whip/channel', token: 'token' });
  expect(parseWhipRequest(JSON.stringify(requests[0]))).toEqual(requests[0]);
  bus.end('finished');
  expect(await push.whenDone).toEqual({ isPlanned: true });
  expect(kinds().at(-1)).toBe('close');
});

test('an attempt reports why the endpoint did not accept the stream', async () => {
  const rejected = replyOfFinding({ outcome: 'token_rejected', detail: 'status 401' });
  const { push, kinds } = startAttempt(() => Promise.resolve(rejected));
  expect(await push.whenDone).toMatchObject({
    reason: expect.stringContaining('a.example rejected the bearer token: status 401') as string,
  });
  expect(kinds()).toEqual(['open']);
});

test.each<[string, Partial<WhipReply>, string]>([
  ['the receiver takes nothing', {}, 'takes no video'],
  ['the receiver takes nothing more', { bytes: 1, stalledMs: 10_001 }, 'takes no video'],
  ['the receiver ends the connection', { id: null, finding: { outcome: 'lost' } }, 'was lost'],
  ['the rtc process has no push with its id', { id: null }, 'was interrupted on this server'],
])('an attempt ends when %s', async (_when, progress, reason) => {
  const { push } = startAttempt(respondWith(() => progress));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await push.whenDone).toMatchObject({
    isPlanned: false,
    reason: expect.stringContaining(reason) as string,
  });
});

test('an attempt ends when the receiver stops accepting media after media has flowed', async () => {
  let progressCount = 0;
  const { push } = startAttempt(
    respondWith(() => ({ bytes: 1, stalledMs: (progressCount += 1) < 3 ? 0 : 10_001 })),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await push.whenDone).toMatchObject({
    reason: expect.stringContaining('stopped taking video') as string,
  });
});

test('an attempt that is stopped while its push opens ends immediately, and the push is closed once it has opened', async () => {
  let answerOpen: (reply: WhipReply) => void = () => undefined;
  const { push, kinds } = startAttempt((request) =>
    request.kind === 'open'
      ? new Promise((resolve) => (answerOpen = resolve))
      : Promise.resolve(runningReply),
  );
  await push.stop();
  expect(await push.whenDone).toEqual({ isPlanned: true });
  answerOpen(runningReply);
  await vi.advanceTimersByTimeAsync(0);
  expect(kinds()).toEqual(['open', 'close']);
});

test('an attempt whose rtc process does not report progress ends when it is stopped', async () => {
  const { push, kinds } = startAttempt(({ kind }) =>
    kind === 'progress' ? new Promise(() => undefined) : Promise.resolve(runningReply),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kinds()).toEqual(['open', 'progress']);
  let isStopped = false;
  void push.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isStopped).toBe(true);
  expect(kinds()).toEqual(['open', 'progress', 'close']);
});
