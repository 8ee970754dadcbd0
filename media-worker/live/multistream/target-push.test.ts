import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { audioFrame, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { video } from '@/media-worker/media/packets/testing/packets';
import { createSendingBus, createWindow, startPush } from './testing/start-push';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The open bus of a rendition that lasts for its whole session, if there is one. */
function sessionBusesOf(rendition: Rendition | undefined): unknown[] {
  const buses: unknown[] = [];
  rendition?.onSessionBus((bus) => void buses.push(bus));
  return buses;
}
test('an unreachable target is retried after 1, 2, 4, … 30 s until it is stopped', async () => {
  const { renditions, push, reports, countAttempts } = startPush();
  renditions.source.startPublish(createSendingBus());
  const attemptSeconds: number[] = [];
  for (let second = 0; second <= 130; second++) {
    await vi.advanceTimersByTimeAsync(second === 0 ? 10 : 1_000);
    if (countAttempts() > attemptSeconds.length) attemptSeconds.push(second);
  }
  expect(attemptSeconds).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
  expect(reports.find(({ state }) => state === 'error')?.error).toBe(
    '127.0.0.1 is not a public address, so nothing is sent there. Use a public address, or ask the server’s operator to allow this one.',
  );
  await push.stop();
  expect(reports.at(-1)).toMatchObject({ state: 'disconnected' });
  const countBefore = reports.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toHaveLength(countBefore);
});

test('an unchanged state is reported every five seconds, because the database may have missed it', async () => {
  const { renditions, push, reports } = startPush();
  renditions.source.startPublish(createSendingBus());
  await vi.advanceTimersByTimeAsync(31_500);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports.slice(-2)).toEqual([
    { state: 'error', bitrate: 0 },
    { state: 'error', bitrate: 0 },
  ]);
  await push.stop();
});

test('the end of the publish ends the wait for a retry, and the next publish is sent immediately', async () => {
  const { renditions, push, reports, countAttempts } = startPush();
  const firstBus = createSendingBus();
  renditions.source.startPublish(firstBus);
  await vi.advanceTimersByTimeAsync(16_000);
  const attemptsBefore = countAttempts();
  firstBus.end('lost');
  await vi.advanceTimersByTimeAsync(10);
  expect(reports.at(-1)).toMatchObject({ state: 'waiting' });
  renditions.source.startPublish(createSendingBus());
  await vi.advanceTimersByTimeAsync(10);
  expect(countAttempts()).toBe(attemptsBefore + 1);
  await push.stop();
});

test('a missing rendition is an error until it arrives', async () => {
  const { renditions, push, reports, countAttempts } = startPush('rtmp://127.0.0.1:9/live/key', '480p');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports.map(({ state }) => state)).toEqual(['waiting']);
  renditions.source.startPublish(createSendingBus());
  await vi.advanceTimersByTimeAsync(14_000);
  expect(reports.map(({ state }) => state)).toEqual(['waiting']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reports[1]).toMatchObject({ state: 'error', error: 'the rendition "480p" is not running' });
  const rendition = new Rendition('480p', createWindow());
  renditions.add(rendition);
  rendition.startPublish(createSendingBus());
  await vi.advanceTimersByTimeAsync(10);
  expect(countAttempts()).toBe(1);
  await push.stop();
});

test('a source in HEVC is replaced by its first rendition, and is an error without one', async () => {
  const { renditions, rendition, push, reports, countAttempts } = startPush();
  const source = createSendingBus('hevc');
  renditions.source.startPublish(source);
  source.push(audioFrame(0));
  await vi.advanceTimersByTimeAsync(17_000);
  expect(countAttempts()).toBe(0);
  expect(reports.at(-1)).toMatchObject({
    state: 'error',
    error: 'the encoder sends HEVC, and targets take H.264: add a profile to the stream',
  });
  const [large, small] = ['720p', '360p'].map((name) => new Rendition(name, createWindow()));
  for (const size of [large, small]) {
    if (size) renditions.add(size);
    size?.startPublish(createSendingBus());
  }
  await vi.advanceTimersByTimeAsync(10);
  expect(countAttempts()).toBe(1);
  const substitute = rendition.runningBus;
  expect(sessionBusesOf(large)).toContain(substitute);
  await push.stop();
});

test('a slate of an HEVC source is sent until the encoder returns', async () => {
  const { renditions, rendition, push } = startPush();
  const source = createSendingBus('hevc');
  renditions.source.startPublish(source);
  expect(rendition.runningBus).toBeNull();
  source.push(videoConfig());
  expect(rendition.runningBus).toBe(source);
  source.push({ ...videoConfig(), codec: 'hevc' });
  expect(rendition.runningBus).toBeNull();
  await push.stop();
});

test('a WHIP target gets a rendition in place of a source with B-frames, and without a rendition, its error says what to change', async () => {
  const { renditions, rendition, push, reports } = startPush('https://a.example/whip/channel');
  const source = createSendingBus();
  renditions.source.startPublish(source);
  await vi.advanceTimersByTimeAsync(10);
  expect(reports.at(-1)).toMatchObject({
    state: 'error',
    error: expect.stringContaining('RTC_PORT') as string,
  });
  for (const [index, displayDelayMs] of [40, 120, 0, 80].entries())
    source.push({ ...video(index * 40, index === 0), pts: index * 40 + displayDelayMs });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reports.findLast(({ error }) => error !== undefined)?.error).toContain('B-frames');
  const small = new Rendition('360p', createWindow());
  renditions.add(small);
  small.startPublish(createSendingBus());
  expect(sessionBusesOf(small)).toContain(rendition.runningBus);
  await push.stop();
});

test('an invalid URL is reported with the reason', async () => {
  const { renditions, push, reports } = startPush('srt://127.0.0.1:9?mode=listener');
  renditions.source.startPublish(createSendingBus());
  await vi.advanceTimersByTimeAsync(10);
  expect(reports.at(-1)).toMatchObject({
    state: 'error',
    error: 'The URL can’t be used: mode of an srt url must be "caller". Replace it.',
  });
  await push.stop();
});

test('a push that is stopped before it had packets ends', async () => {
  const { push, rendition, reports } = startPush();
  await Promise.all([push.stop(), push.stop()]);
  rendition.close();
  rendition.close();
  expect(reports.at(-1)).toMatchObject({ state: 'disconnected' });
});
