import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assetKey, indexKey } from '@/lib/core/storage-keys';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { createIndexedReads } from './indexed-reads';
import { SampleList } from './sample-list';
import { serializeIndex } from './stored-index';

let nowMs = 0;
beforeEach(() => {
  // lru-cache reads the time once per millisecond, and takes a start at 0 for none.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  nowMs = 1;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function advanceTime(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

const filesId = 'film';
const playlistKey = assetKey(filesId, 'hls/source/index.m3u8');
const videoBytes = 200;

/** The index of a video of one segment. */
function createIndexBytes(seconds: number): Buffer {
  const samples = new SampleList({ samples: 10, fileSize: Infinity });
  samples.push({ offset: 0, size: videoBytes, dts: 0, duration: 1_000, shift: 0, key: true, entry: 0 });
  const [video, audio] = [
    { first: 0, end: 1 },
    { first: 0, end: 0 },
  ];
  const segment = { video, audio, startSeconds: 0, seconds, independent: true, bytes: 300 };
  const track = {
    coding: 'avc',
    record: CONFIG_RECORDS.high320,
    pixelAspect: { num: 1, den: 1 },
    samples,
    matrix: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000],
  } as const;
  const period = { video: track, audio: undefined, segments: [segment] };
  const source = { contentHash: `${seconds}`, file: 'source.mp4', bytes: videoBytes, frameRate: 25 };
  return Buffer.concat(serializeIndex({ periods: [period], encodedFrames: [] }, source));
}

/** A storage in memory with an indexed video. */
function createMemoryStorage() {
  const objects = new Map([
    [assetKey(filesId, 'source.mp4'), Buffer.alloc(videoBytes)],
    [indexKey(filesId), createIndexBytes(6)],
  ]);
  const head = vi.fn((key: string) => {
    const bytes = objects.get(key);
    return Promise.resolve(
      bytes ? { key, bytes: bytes.length, modifiedAt: new Date(0), etag: bytes.toString('hex') } : null,
    );
  });
  const read = (key: string, range?: { readonly start: number; readonly end: number }) => {
    const bytes = objects.get(key);
    const part = range ? bytes?.subarray(range.start, range.end + 1) : bytes;
    return Promise.resolve(part ? Readable.from([part]) : null);
  };
  return { objects, head, reads: createIndexedReads({ head, read }) };
}

type Reads = ReturnType<typeof createMemoryStorage>['reads'];
async function playlistOf(reads: Reads): Promise<string> {
  const source = await reads.read(playlistKey);
  return source ? (await buffer(source)).toString() : 'missing';
}

test('requests within one second look up the index in the storage once', async () => {
  const { reads, head } = createMemoryStorage();
  expect(await reads.head(playlistKey)).not.toBeNull();
  const firstCount = head.mock.calls.length;
  advanceTime(900);
  for (const _ of [1, 2, 3]) {
    await reads.head(playlistKey);
    await playlistOf(reads);
  }
  expect(head.mock.calls).toHaveLength(firstCount);
  advanceTime(200);
  await reads.head(playlistKey);
  expect(head.mock.calls).toHaveLength(firstCount + 1);
});

test('length, ETag and content are of one index, although it is replaced after the head', async () => {
  const { reads, objects } = createMemoryStorage();
  const first = await reads.head(playlistKey);
  advanceTime(900);
  objects.set(indexKey(filesId), createIndexBytes(12.5));
  expect(await reads.head(playlistKey)).toEqual(first);
  advanceTime(900);
  expect(await playlistOf(reads)).toHaveLength(first?.bytes ?? 0);
  const next = await reads.head(playlistKey);
  expect(next?.etag).not.toBe(first?.etag);
  expect(next?.bytes).not.toBe(first?.bytes);
  expect(await playlistOf(reads)).toHaveLength(next?.bytes ?? 0);
});

test('a deleted index is no longer used after a second', async () => {
  const { reads, objects } = createMemoryStorage();
  expect(await reads.head(playlistKey)).not.toBeNull();
  objects.clear();
  advanceTime(1_000);
  expect(await reads.head(playlistKey)).toBeNull();
  expect(await playlistOf(reads)).toBe('missing');
});
