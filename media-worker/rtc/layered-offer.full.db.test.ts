import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cameraArgs, publishFromPage } from '@/e2e/media/testing/whip-page';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { LayeredPublisher } from './testing/layered-publisher';
import { LayeredSender } from './testing/layered-sender';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

/** Tests of offers with several RID encodings (RFC 8853), as Chromium and OBS create them. */

const { ctx, createTeam, createStream, readStream } = createWorkerFixtures(await createTestDatabase());
let processes: RtcProcesses;
let pageServer: Server;
let browser: Browser;

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings, process.env.PATH);
  pageServer = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
  }).listen(0, '127.0.0.1');
  await once(pageServer, 'listening');
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...cameraArgs],
  });
  await pollForValue(async () => {
    const response = await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });
});
afterAll(async () => {
  await browser.close();
  pageServer.close();
  await processes.end();
});

const resolutionsOf = (masterPlaylist: string) =>
  [...masterPlaylist.matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size]) => size);

test('three layers become a source and two aligned renditions, and a paused layer is replaced by the next one', async () => {
  const { id, streamKey, playbackId } = await createStream(await createTeam());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pageServer.address() as AddressInfo).port}/`);
  // Factors by which each layer is smaller than the camera, by RID.
  const layers = { l: 4, m: 2, h: 1 };
  const { status } = await publishFromPage(page, `${processes.url}/webrtc`, { token: streamKey, layers });
  expect(status).toBe(201);
  await expect.poll(async () => (await readStream(id)).isActive).toBe(true);
  const fetchText = async (path: string) =>
    (await fetch(`${processes.url}/hls/${playbackId}/${path}`)).text();
  await expect
    .poll(async () => resolutionsOf(await fetchText('index.m3u8')), { timeout: 60_000 })
    .toEqual(['1280x720', '320x180', '640x360']);
  const masterPlaylist = await fetchText('index.m3u8');
  expect(masterPlaylist.match(/CODECS="avc1\.\w+,mp4a/g)).toHaveLength(3);
  const uris = masterPlaylist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const segmentLinesOf = async (uri: string) =>
    (await fetchText(uri)).split('\n').filter((line) => /^(?:#EXT-X-PROGRAM-DATE-TIME|\d+\.m4s)/.test(line));
  await expect
    .poll(async () => (await segmentLinesOf(uris[1] ?? '')).length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(6);
  const [source = [], ...renditions] = await Promise.all(uris.map(segmentLinesOf));
  for (const other of renditions)
    expect(source.filter((line) => other.includes(line)).length).toBeGreaterThan(3);

  const setActive = (rid: string, active: boolean) =>
    page.evaluate(
      async (layer) => {
        const { connection } = globalThis as unknown as { connection: RTCPeerConnection };
        for (const sender of connection.getSenders()) {
          const parameters = sender.getParameters();
          for (const encoding of parameters.encodings)
            if (encoding.rid === layer.rid) encoding.active = layer.active;
          await sender.setParameters(parameters);
        }
      },
      { rid, active },
    );
  const readSourceSize = async () => resolutionsOf(await fetchText('index.m3u8'))[0];
  const countDiscontinuities = async (uri: string) =>
    (await fetchText(uri)).match(/#EXT-X-DISCONTINUITY$/gm)?.length ?? 0;
  // A browser on a busy machine may have paused a layer already.
  const earlierDiscontinuities = Math.max(...(await Promise.all(uris.map(countDiscontinuities))));
  await setActive('h', false);
  await expect.poll(readSourceSize, { timeout: 60_000 }).toBe('640x360');
  const segmentDurations = (playlist: string) =>
    [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Number(seconds));
  for (const uri of uris)
    expect(Math.max(...segmentDurations(await fetchText(uri)))).toBeLessThanOrEqual(2.5);
  // Every playlist has the switch.
  for (const uri of uris) expect(await countDiscontinuities(uri)).toBeGreaterThan(earlierDiscontinuities);
  await setActive('h', true);
  await expect.poll(readSourceSize, { timeout: 60_000 }).toBe('1280x720');
});

test('an encoder that declares the SSRC of one layer, like OBS, publishes all of its layers', async () => {
  const { id, streamKey, playbackId } = await createStream(await createTeam());
  // Widths in macroblocks of 16 pixels, by RID. All layers have the same height.
  const publisher = new LayeredPublisher(new LayeredSender({ 0: 80, 1: 52, 2: 26, 3: 20 }));
  const answer = await publisher.publish(`${processes.url}/webrtc/${streamKey}`);
  expect(answer).toContain('recv 0;1;2;3');
  await expect.poll(async () => (await readStream(id)).isActive).toBe(true);
  const fetchMasterPlaylist = async () =>
    (await fetch(`${processes.url}/hls/${playbackId}/index.m3u8`)).text();
  await expect
    .poll(async () => resolutionsOf(await fetchMasterPlaylist()), { timeout: 60_000 })
    .toEqual(['1280x720', '832x720', '416x720', '320x720']);
  publisher.close();
});
