import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whipDestination } from '@/lib/core/targets/whip-url';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { WhipAttempt } from './whip-attempt';
import { readWhipRequest, replyOfFinding, type WhipRequest, type WhipReply } from './whip-requests';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const going: WhipReply = { id: 'push', finding: null, bytes: 0, stalledMs: 0 };

/** An attempt whose process with the connections answers like this. */
function attempt(answer: (request: WhipRequest) => Promise<WhipReply>) {
  const destination = whipDestination('https://a.example/whip/channel#token');
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

const answering = (progress: () => Partial<WhipReply>) => (request: WhipRequest) =>
  Promise.resolve(request.kind === 'progress' ? { ...going, ...progress() } : going);

test('flows once bytes were sent, and is closed with the publish', async () => {
  let bytes = 0;
  const { push, bus, requests, onFlowing, kinds } = attempt(answering(() => ({ bytes: (bytes += 1_000) })));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(onFlowing).toHaveBeenCalledTimes(1);
  expect(push.bytes).toBe(3_000);
  expect(requests[0]).toMatchObject({ kind: 'open', url: 'https://a.example/whip/channel', token: 'token' });
  expect(readWhipRequest(JSON.stringify(requests[0]))).toEqual(requests[0]);
  bus.end('finished');
  expect(await push.done).toEqual({ isPlanned: true });
  expect(kinds().at(-1)).toBe('close');
});

test('says why the endpoint did not take the stream', async () => {
  const refused = replyOfFinding({ outcome: 'token_rejected', detail: 'status 401' });
  const { push, kinds } = attempt(() => Promise.resolve(refused));
  expect(await push.done).toMatchObject({
    reason: expect.stringContaining('a.example rejected the bearer token: status 401') as string,
  });
  expect(kinds()).toEqual(['open']);
});

test.each<[string, Partial<WhipReply>, string]>([
  ['takes nothing', {}, 'takes no video'],
  ['takes nothing more', { bytes: 1, stalledMs: 10_001 }, 'takes no video'],
  ['ends it', { id: null, finding: { outcome: 'lost' } }, 'was lost'],
  ['has no push of this id', { id: null }, 'was interrupted on this server'],
])('ends when the receiver %s', async (_name, progress, reason) => {
  const { push } = attempt(answering(() => progress));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await push.done).toMatchObject({
    isPlanned: false,
    reason: expect.stringContaining(reason) as string,
  });
});

test('a receiver that stops taking media after a while has stopped', async () => {
  let looks = 0;
  const { push } = attempt(answering(() => ({ bytes: 1, stalledMs: (looks += 1) < 3 ? 0 : 10_001 })));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await push.done).toMatchObject({
    reason: expect.stringContaining('stopped taking video') as string,
  });
});

test('stopped while it is opened, it is over immediately, and what is opened later is closed', async () => {
  let open: (reply: WhipReply) => void = () => undefined;
  const { push, kinds } = attempt((request) =>
    request.kind === 'open' ? new Promise((resolve) => (open = resolve)) : Promise.resolve(going),
  );
  await push.stop();
  expect(await push.done).toEqual({ isPlanned: true });
  open(going);
  await vi.advanceTimersByTimeAsync(0);
  expect(kinds()).toEqual(['open', 'close']);
});
