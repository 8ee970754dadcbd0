import { expect, test } from '@playwright/test';
import { probeStreams, readDecoderWarnings } from '../media/testing/encoder';
import { readPacketTimes, createRecordingChecks } from '../media/testing/recordings';
import { endReconnectWindow, hlsUrl, ApiAccount, waitUntil, whipUrl } from '../media/testing/service';
import { cameraArgs, publishFromPage } from '../media/testing/whip-page';
import { playWithHlsJs, readStats } from './play-in-page';

// Recording of a browser that publishes its camera in three sizes (RFC 8853).

// The Content Security Policy of the pages of the service allows only requests to the service.
test.use({
  bypassCSP: true,
  launchOptions: {
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: ['--no-sandbox', '--disable-gpu', ...cameraArgs],
  },
});

const fetchText = async (url: string): Promise<string> => (await fetch(url)).text();

const sizesOf = (masterPlaylist: string): string[] =>
  [...masterPlaylist.matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size = '']) => size);

const urlsOf = (masterPlaylist: string, masterUrl: string): string[] =>
  masterPlaylist
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new URL(line, masterUrl).href);

const durationOf = (playlist: string): number =>
  [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].reduce((total, [, seconds]) => total + Number(seconds), 0);

test('a recording of a publisher with three layers has them as renditions, and its MP4 has the largest one', async ({
  page,
}) => {
  const owner = await ApiAccount.create();
  const { waitForSourceSegments, waitForReadyRecording } = createRecordingChecks(owner);
  const stream = await owner.createStream({ record: true, profiles: [] });
  // Pages of the service have no access to the camera, except the one for going live.
  await page.goto(new URL('/healthz', whipUrl('')).href);
  const layers = { l: 4, m: 2, h: 1 };
  const publish = await publishFromPage(page, whipUrl(stream.streamKey), { layers });
  expect(publish.status).toBe(201);
  await owner.waitUntilActive(stream.id);
  const liveUrl = hlsUrl(stream.playbackId);
  await waitUntil(async () => sizesOf(await fetchText(liveUrl)).length === 3);
  const { sourceSegments } = await owner.readStream(stream.id);
  await waitForSourceSegments(stream, sourceSegments + 4);
  const sessionUrl = whipUrl(publish.session?.replace('/webrtc/', '') ?? '');
  await page.evaluate((url) => fetch(url, { method: 'DELETE' }).then(() => undefined), sessionUrl);
  await owner.waitUntilIdle(stream.id);
  await endReconnectWindow(stream.id);
  const { recordingUrl = '', mp4Url = '' } = await waitForReadyRecording(stream);

  const masterPlaylist = await fetchText(recordingUrl);
  expect(sizesOf(masterPlaylist).toSorted()).toEqual(['1280x720', '320x180', '640x360']);
  const urls = urlsOf(masterPlaylist, recordingUrl);
  const durations = await Promise.all(urls.map(async (url) => durationOf(await fetchText(url))));
  for (const duration of durations) expect(Math.abs(duration - (durations[0] ?? 0))).toBeLessThan(0.1);
  for (const url of urls) {
    expect(await readDecoderWarnings(url, 60)).toBe('');
    const times = await readPacketTimes(url, 'v');
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2);
  }
  const video = (await probeStreams(mp4Url)).find(({ codec_name: codec }) => codec === 'h264');
  expect(video).toMatchObject({ width: 1280, height: 720 });

  await playWithHlsJs(page, recordingUrl, { lowLatencyMode: false });
  const hasEnded = () => page.evaluate(() => document.querySelector('video')?.ended);
  await expect.poll(hasEnded, { intervals: [500], timeout: 120_000 }).toBe(true);
  expect((await readStats(page)).fatal).toEqual([]);
});
