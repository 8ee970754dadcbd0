import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { systemClock } from '@/lib/infra/clock';
import type { Packager } from '@/media-worker/media/packaging/packager';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { ThumbnailSource } from './make-thumbnails';
import { Thumbnails, type ThumbnailsOptions } from './thumbnails';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a stream that advances when the test calls `play`. */
function createStream({ video = true } = {}) {
  const packaging = new Packaging();
  const packager: Packager = packaging.begin(video ? [videoConfig(), audioConfig()] : [audioConfig()]);
  let ms = 0;
  const play = (seconds: number) => {
    packaging.push(packager, steadyFrames({ fromMs: ms, untilMs: ms + seconds * 1_000, video }));
    ms += seconds * 1_000;
  };
  play(6);
  return { renditions: packaging.renditions, play };
}

/** Opens thumbnails whose images are text: the number of the batch and the name of the segment. */
function openThumbnails({
  tookMs = 50,
  fails = () => false,
  limits = {},
}: {
  tookMs?: number;
  fails?: (batch: number, index: number) => boolean;
  limits?: ThumbnailsOptions['limits'];
} = {}) {
  const batches: (readonly ThumbnailSource[])[] = [];
  const thumbnails = new Thumbnails({
    clock: systemClock,
    log: createLogger('test', 'silent'),
    limits,
    make: async (sources) => {
      batches.push(sources);
      const batch = batches.length;
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      return sources.map(({ name }, index) => (fails(batch, index) ? null : Buffer.from(`${batch} ${name}`)));
    },
  });
  const request = async (...streams: { renditions: Packaging['renditions'] }[]) => {
    const requests = Promise.all(streams.map(({ renditions }) => thumbnails.requestImage(renditions)));
    await vi.advanceTimersByTimeAsync(200);
    return (await requests).map((image) => (image ? Number(image.toString().split(' ')[0]) : null));
  };
  return { thumbnails, batches, request };
}

describe('a thumbnail', () => {
  test('is made on request, once for all concurrent requests', async () => {
    const { batches, request } = openThumbnails();
    const [firstStream, secondStream, unrequestedStream] = [createStream(), createStream(), createStream()];
    expect(await request(firstStream, secondStream, firstStream)).toEqual([1, 1, 1]);
    expect(batches).toHaveLength(1);
    expect(batches[0]).toHaveLength(2);
    expect(unrequestedStream.renditions.source.window.isPlayable).toBe(true);
    expect(batches[0]?.[0]).toMatchObject({ width: 430, height: 182 });
    expect(batches[0]?.[0]?.bytes[0]?.toString('latin1', 4, 8)).toBe('ftyp');
    expect(batches[0]?.[0]?.bytes[1]?.toString('latin1', 4, 8)).toBe('moof');
  });

  test('is refreshed every five seconds while it is requested', async () => {
    const { batches, request } = openThumbnails();
    const live = createStream();
    await request(live);
    for (let round = 0; round < 10; round++) {
      live.play(2);
      await vi.advanceTimersByTimeAsync(1_800);
      await request(live);
    }
    // The ten rounds last twenty seconds.
    expect(batches.length).toBeGreaterThanOrEqual(4);
    expect(batches.length).toBeLessThanOrEqual(5);
    await request(live);
    expect(await request(live)).toEqual([batches.length]);
  });

  test('of a stream without new media is not refreshed', async () => {
    const { batches, request } = openThumbnails();
    const stoppedStream = createStream();
    for (let round = 0; round < 5; round++) {
      await request(stoppedStream);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(batches).toHaveLength(1);
  });

  test('without requests is not refreshed, and expires', async () => {
    const { batches, request } = openThumbnails();
    const live = createStream();
    await request(live);
    for (let round = 0; round < 30; round++) {
      live.play(2);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    const batchesBefore = batches.length;
    expect(batchesBefore).toBeLessThanOrEqual(5);
    expect(vi.getTimerCount()).toBe(0);
    // The thumbnail is the newest again, not that of a minute ago.
    expect(await request(live)).toEqual([batchesBefore + 1]);
  });

  test('of many streams is refreshed less often: all of them take about one percent of the time', async () => {
    const { batches, request } = openThumbnails({ tookMs: 530 });
    const live = Array.from({ length: 6 }, () => createStream());
    const firstRequest = request(...live);
    await vi.advanceTimersByTimeAsync(1_500);
    await firstRequest;
    for (let round = 0; round < 60; round++) {
      for (const stream of live) stream.play(2);
      void request(...live);
      await vi.advanceTimersByTimeAsync(1_800);
    }
    // The sixty rounds last two minutes. A batch of 530 ms, less 60 ms for the start of ffmpeg, is due again after 59 s.
    expect(batches.length).toBeGreaterThanOrEqual(3);
    expect(batches.length).toBeLessThanOrEqual(4);
  });
});

test('of more streams than one process takes, each is refreshed in turn', async () => {
  const { request } = openThumbnails({ limits: { maxStreams: 2 } });
  const live = [createStream(), createStream(), createStream()];
  await request(...live);
  const firstBatches = await request(...live);
  for (let round = 0; round < 30; round++) {
    for (const stream of live) stream.play(2);
    await vi.advanceTimersByTimeAsync(1_800);
    await request(...live);
  }
  for (const [index, batch] of (await request(...live)).entries())
    expect(batch).toBeGreaterThan((firstBatches[index] ?? 0) + 1);
});

describe('there is no thumbnail', () => {
  test('of a stream with only audio, without an attempt', async () => {
    const { batches, request } = openThumbnails();
    expect(await request(createStream({ video: false }))).toEqual([null]);
    expect(batches).toHaveLength(0);
  });

  test('of undecodable video: one attempt together with others, one alone, then none for a minute', async () => {
    const live = [createStream(), createStream()];
    const { batches, request } = openThumbnails({
      fails: (batch, index) => (batch === 1 ? index === 0 : batch === 2),
    });
    expect(await request(...live)).toEqual([null, 1]);
    expect(batches.map(({ length }) => length)).toEqual([2, 1]);
    expect(await request(live[0] ?? createStream())).toEqual([null]);
    expect(batches).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await request(live[0] ?? createStream())).toEqual([3]);
  });

  test('if it takes too long: no request waits longer than four seconds', async () => {
    const { thumbnails } = openThumbnails({ tookMs: 60_000 });
    const pendingImage = thumbnails.requestImage(createStream().renditions);
    await vi.advanceTimersByTimeAsync(4_100);
    expect(await pendingImage).toBeNull();
  });

  test('after close, which waits for the running ffmpeg', async () => {
    const { thumbnails, batches } = openThumbnails();
    const pendingImage = thumbnails.requestImage(createStream().renditions);
    await vi.advanceTimersByTimeAsync(60);
    let isClosed = false;
    const closing = thumbnails.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await closing;
    await pendingImage;
    expect(batches).toHaveLength(1);
    expect(await thumbnails.requestImage(createStream().renditions)).toBeNull();
  });
});
