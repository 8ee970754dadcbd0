import { expect, test, type Page } from '@playwright/test';
import { readDecoderWarnings, probeStreams } from '../media/testing/encoder';
import { audioLags, findOnsets, joinOnsets, type Onsets } from '../media/testing/flash-and-beep';
import { createRecordingChecks } from '../media/testing/recordings';
import {
  endReconnectWindow,
  hlsUrl,
  ApiAccount,
  fetchSessionRows,
  fetchStatus,
  waitUntil,
  whipUrl,
} from '../media/testing/service';
import { setUpTargetTests, targetUrlOf } from '../media/testing/targets';
import { cameraArgs, readEncodedFrames, publishFromPage } from '../media/testing/whip-page';

const { startTarget, createTarget } = setUpTargetTests();

// The Content Security Policy of the pages of the service allows only requests to the service.
test.use({
  bypassCSP: true,
  launchOptions: {
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: ['--no-sandbox', '--disable-gpu', ...cameraArgs],
  },
});

const closeConnection = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { connection: RTCPeerConnection }).connection.close());
const fetchInPage = (page: Page, url: string, init: RequestInit) =>
  page.evaluate(async (args) => (await fetch(args.url, args.init)).status, { url, init });

test('a WHIP publish has HLS with audio in sync, reaches a target, and continues its session after a disconnection', async ({
  page,
}) => {
  const owner = await ApiAccount.create();
  const { waitForSourceSegments, waitForReadyRecording } = createRecordingChecks(owner);
  const targetServer = await startTarget();
  const target = await createTarget(targetUrlOf(targetServer.port), owner);
  const stream = await owner.createStream({
    record: true,
    slate: true,
    multistream: { targets: [{ id: target, profile: 'source' }] },
  });
  await page.goto('/login');
  const firstPublish = await publishFromPage(page, whipUrl(stream.streamKey), { source: 'flashes' });
  expect(firstPublish.status).toBe(201);
  expect(firstPublish.session).toMatch(/^\/webrtc\/session\/[\w-]{32}$/);
  expect(firstPublish.etag).toMatch(/^"[0-9a-f]{16}"$/);
  await owner.waitUntilActive(stream.id);
  await waitForSourceSegments(stream, 5);
  const codecs = (await probeStreams(hlsUrl(stream.playbackId))).map((track) => track.codec_name).sort();
  expect(codecs).toEqual(['aac', 'h264']);
  // On a busy machine the page may draw no flash for many seconds, so the flashes of all reads count.
  let onsets: Onsets = { flashes: [], beeps: [] };
  let lags: readonly number[] = [];
  await waitUntil(async () => {
    onsets = joinOnsets(onsets, await findOnsets(hlsUrl(stream.playbackId, 'source/index.m3u8?ll=0'), 9));
    lags = audioLags(onsets);
    return lags.length >= 3;
  });
  expect(Math.abs(lags[Math.floor(lags.length / 2)] ?? 1)).toBeLessThan(0.12);
  expect(await readDecoderWarnings(hlsUrl(stream.playbackId), 4)).toBe('');
  await waitUntil(async () => Promise.resolve((targetServer.publishes[0]?.sink.packets.length ?? 0) > 200));

  // The page closes its connection without a DELETE request. Viewers see the slate, and the session continues when the page
  // publishes again.
  await closeConnection(page);
  const { sourceSegments } = await owner.readStream(stream.id);
  await waitUntil(async () => (await owner.readStream(stream.id)).issues !== null);
  await waitUntil(async () => (await fetchStatus(hlsUrl(stream.playbackId))) === 200);
  const secondPublish = await publishFromPage(page, whipUrl(''), {
    token: stream.streamKey,
    source: 'flashes',
  });
  expect(secondPublish.status).toBe(201);
  await waitUntil(async () => (await readEncodedFrames(page)) > 60);
  await waitForSourceSegments(stream, sourceSegments + 3);
  const sessionUrl = whipUrl(secondPublish.session?.replace('/webrtc/', '') ?? '');
  expect(await fetchInPage(page, sessionUrl, { method: 'DELETE' })).toBe(200);
  await owner.waitUntilIdle(stream.id);
  expect(await fetchSessionRows(stream.id)).toHaveLength(1);
  await endReconnectWindow(stream.id);
  await waitForReadyRecording(stream);
});
