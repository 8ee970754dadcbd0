import { expect, test, type Page } from '@playwright/test';
import type { Audience } from '@/lib/contract/audience/audience';
import { createSourceFile, setUpEncoders } from '../media/testing/encoder';
import {
  hlsUrl,
  ApiAccount,
  fetchReportedStalls,
  rtmpUrl,
  fetchStatus,
  waitUntil,
} from '../media/testing/service';
import { playWithHlsJs, playWithShaka, readCurrentTime } from './play-in-page';

// Stalls that players report with CMCD, compared with the events of the video element, and their causes.

let owner: ApiAccount;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  owner = await ApiAccount.create();
});

async function publish() {
  const { id, streamKey, playbackId } = await owner.createStream();
  const encoder = startEncoder(await createSourceFile(), rtmpUrl(streamKey));
  const masterUrl = hlsUrl(playbackId);
  await waitUntil(async () => (await fetchStatus(masterUrl)) === 200);
  const reportsUrl = new URL(`/cmcd/${playbackId}`, masterUrl).href;
  return { id, playbackId, masterUrl, reportsUrl, encoder };
}

interface PageWithStallLog {
  stallLog: {
    /** Time of `performance.now()` at which the current stall started; null during playback. */
    startedAt: number | null;
    totalMs: number;
    count: number;
  };
}

/** Starts to log the stalls of the video of a page. */
const startStallLog = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const video = document.querySelector('video');
    const log: PageWithStallLog['stallLog'] = { startedAt: null, totalMs: 0, count: 0 };
    (globalThis as unknown as PageWithStallLog).stallLog = log;
    video?.addEventListener('waiting', () => (log.startedAt ??= performance.now()));
    video?.addEventListener('playing', () => {
      if (log.startedAt === null) return;
      log.totalMs += performance.now() - log.startedAt;
      log.count += 1;
      log.startedAt = null;
    });
  });

const readStallLog = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as PageWithStallLog).stallLog);

const audienceOf = async (streamId: string): Promise<Audience> =>
  (await (await owner.request('GET', `/api/data/audience?streamId=${streamId}`)).json()) as Audience;

/** Seconds of playback before and after a stall. */
const SMOOTH_SECONDS = 5;
const STALL_MS = 8_000;
const CAUSE_TIMEOUT_MS = 40_000;

const openPlayer = {
  'hls.js': (page: Page, { masterUrl, reportsUrl }: { masterUrl: string; reportsUrl: string }) =>
    playWithHlsJs(page, masterUrl, {
      lowLatencyMode: false,
      cmcd: { version: 2, includeKeys: [], eventTargets: [{ url: reportsUrl, events: ['ps', 'e', 't'] }] },
    }),
  Shaka: (page: Page, { masterUrl, reportsUrl }: { masterUrl: string; reportsUrl: string }) =>
    playWithShaka(page, masterUrl, {
      // The minifier of Shaka 5.2 renames the key `sta`, so only the debug build reports states.
      build: 'debug.',
      config: {
        cmcd: {
          enabled: true,
          version: 2,
          // Shaka can create an id only in a secure context, and the page of this test is no secure context.
          sessionId: 'view',
          eventTargets: [{ enabled: true, mode: 'event', url: reportsUrl, events: ['ps', 'e', 't'] }],
        },
      },
    }),
  'the watch page': async (page: Page, { playbackId }: { playbackId: string }) => {
    await page.goto(`/watch/${playbackId}`);
  },
} as const;

for (const name of ['hls.js', 'Shaka', 'the watch page'] as const)
  test(`${name} reports the length of a stall on a slow connection, and the cause is the connection or an overloaded server`, async ({
    page,
  }) => {
    test.setTimeout(150_000);
    const stream = await publish();
    await openPlayer[name](page, stream);
    await waitUntil(async () => (await readCurrentTime(page)) > SMOOTH_SECONDS);
    await startStallLog(page);
    const network = await page.context().newCDPSession(page);
    /** Limits the download speed to bytes per second; -1 is unlimited. */
    const limitTo = (downloadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        uploadThroughput: -1,
        downloadThroughput,
      });
    await network.send('Network.enable');
    // 64 kbit/s are less than the bitrate of the source.
    await limitTo(8_000);
    await waitUntil(async () => (await readStallLog(page)).startedAt !== null);
    await page.waitForTimeout(STALL_MS);
    await limitTo(-1);
    await waitUntil(async () => (await readStallLog(page)).startedAt === null);
    const resumedAt = await readCurrentTime(page);
    await waitUntil(async () => (await readCurrentTime(page)) > resumedAt + SMOOTH_SECONDS);
    const { totalMs, count } = await readStallLog(page);
    // The number may differ: Shaka reports a state only after a while, and the video element each interruption.
    await waitUntil(async () => (await fetchReportedStalls(stream.id)).stallMs > totalMs * 0.9);
    const reported = await fetchReportedStalls(stream.id);
    test
      .info()
      .annotations.push({ type: 'stall', description: JSON.stringify({ totalMs, count, reported }) });
    expect(Math.abs(reported.stallMs - totalMs)).toBeLessThan(totalMs * 0.1);
    await waitUntil(async () => (await audienceOf(stream.id)).causes.length > 0);
    const readCause = async () => (await audienceOf(stream.id)).causes[0]?.cause ?? 'none';
    // The cause is determined again every ten seconds, and Shaka reports its buffer after the end of the stall. On a busy
    // machine the service lacks CPU time, which takes precedence over the connection as the cause.
    await expect
      .poll(readCause, { timeout: CAUSE_TIMEOUT_MS })
      .toMatch(/^(?:viewer_connection|server_overloaded)$/);
    test.info().annotations.push({ type: 'cause', description: await readCause() });
  });

test('a stall while the encoder sends nothing has the cause encoder_silent, and the watch page reports less than 0.5 s of media in the buffer', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const stream = await publish();
  const reportedLines: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/cmcd/')) reportedLines.push(...(request.postData() ?? '').split('\n'));
  });
  await openPlayer['the watch page'](page, stream);
  await waitUntil(async () => (await readCurrentTime(page)) > SMOOTH_SECONDS);
  await startStallLog(page);
  stream.encoder.freeze();
  await waitUntil(async () => (await readStallLog(page)).startedAt !== null);
  await page.waitForTimeout(2_000);
  stream.encoder.thaw();
  await waitUntil(async () => (await readStallLog(page)).startedAt === null);
  // The cause is determined again when measurements arrive after the stall.
  const findSilentEncoder = async () =>
    (await audienceOf(stream.id)).incidents.find(({ cause }) => cause === 'encoder_silent');
  await waitUntil(async () => (await findSilentEncoder()) !== undefined);
  expect((await findSilentEncoder())?.measure).toBeGreaterThan(2_000);
  // Of CMCD: `bl` is the media in the buffer in milliseconds, `sta` the state (p: playing, r: rebuffering).
  const bufferMsIn = (state: string) => {
    const lines = reportedLines.filter((line) => line.split(',').includes(`sta=${state}`));
    return lines.map((line) => Number(/(?:^|,)bl=\((\d+)\)/.exec(line)?.[1]));
  };
  expect(bufferMsIn('r').at(-1)).toBeLessThan(500);
  expect(Math.max(...bufferMsIn('p'))).toBeGreaterThan(500);
});
