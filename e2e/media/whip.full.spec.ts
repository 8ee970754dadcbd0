import { expect, test, type Page } from '@playwright/test';
import { complaintsOfDecoder, probe } from './testing/encoder';
import { onsetsOf, audioLags } from './testing/flash-and-beep';
import { recordingsOf } from './testing/recordings';
import { endWindow, hlsUrl, Owner, sessionsOf, statusOf, until, whipUrl } from './testing/service';
import { streamsWithTargets, urlOf } from './testing/targets';
import { cameraArgs, framesOf, publishFrom } from './testing/whip-page';

const { sink, newTarget } = streamsWithTargets();

// The content security policy of the service's pages only allows requests to the service.
test.use({
  bypassCSP: true,
  launchOptions: {
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: ['--no-sandbox', '--disable-gpu', ...cameraArgs],
  },
});

const close = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { connection: RTCPeerConnection }).connection.close());
const fetchIn = (page: Page, url: string, init: RequestInit) =>
  page.evaluate(async (args) => (await fetch(args.url, args.init)).status, { url, init });

test('a browser publishes by WHIP: HLS in sync, a target, the slate while it is disconnected, and one recording', async ({
  page,
}) => {
  const owner = await Owner.create();
  const { recorded, untilReady } = recordingsOf(owner);
  const receiver = await sink();
  const target = await newTarget(urlOf(receiver.port), owner);
  const stream = await owner.newStream({
    record: true,
    slate: true,
    multistream: { targets: [{ id: target, profile: 'source' }] },
  });
  await page.goto('/login');
  const first = await publishFrom(page, whipUrl(stream.streamKey), { source: 'flashes' });
  expect(first.status).toBe(201);
  expect(first.session).toMatch(/^\/webrtc\/session\/[\w-]{32}$/);
  expect(first.etag).toMatch(/^"[0-9a-f]{16}"$/);
  await owner.untilActive(stream.id, true);
  await recorded(stream, 5);
  const codecs = (await probe(hlsUrl(stream.playbackId))).map((track) => track.codec_name).sort();
  expect(codecs).toEqual(['aac', 'h264']);
  const lags = audioLags(await onsetsOf(hlsUrl(stream.playbackId, 'source/index.m3u8?ll=0'), 9));
  expect(lags.length).toBeGreaterThanOrEqual(3);
  expect(Math.abs(lags[Math.floor(lags.length / 2)] ?? 1)).toBeLessThan(0.12);
  expect(await complaintsOfDecoder(hlsUrl(stream.playbackId), 4)).toBe('');
  await until(async () => Promise.resolve((receiver.publishes[0]?.sink.packets.length ?? 0) > 200));

  // The tab closes without ending the connection: viewers see the slate, and the session continues when the publisher returns.
  await close(page);
  const { sourceSegments } = await owner.stream(stream.id);
  await until(async () => (await owner.stream(stream.id)).issues !== null);
  await until(async () => (await statusOf(hlsUrl(stream.playbackId))) === 200);
  const again = await publishFrom(page, whipUrl(''), { token: stream.streamKey, source: 'flashes' });
  expect(again.status).toBe(201);
  await until(async () => (await framesOf(page)) > 60);
  await recorded(stream, sourceSegments + 3);
  const session = whipUrl(again.session?.replace('/webrtc/', '') ?? '');
  expect(await fetchIn(page, session, { method: 'DELETE' })).toBe(200);
  await owner.untilActive(stream.id, false);
  expect(await sessionsOf(stream.id)).toHaveLength(1);
  await endWindow(stream.id);
  await untilReady(stream);
});
