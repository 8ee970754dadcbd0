import { expect, test, type Page } from '@playwright/test';
import type { Audience } from '@/lib/contract/audience/audience';
import { Encoder, sourceFile } from '../media/testing/encoder';
import { hlsUrl, Owner, reportedStalls, rtmpUrl, statusOf, until } from '../media/testing/service';
import { playWithHlsJs, playWithShaka, timeOf } from './in-page';

/** Compares the stalls that players report with those of the video element, and checks the cause. */

let owner: Owner;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  owner = await Owner.create();
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

async function publish() {
  const { id, streamKey, playbackId } = await owner.newStream();
  const encoder = new Encoder(await sourceFile(), rtmpUrl(streamKey));
  encoders.push(encoder);
  const master = hlsUrl(playbackId);
  await until(async () => (await statusOf(master)) === 200);
  const reports = new URL(`/cmcd/${playbackId}`, master).href;
  return { id, playbackId, master, reports, encoder };
}

interface StallLog {
  stallLog: { since: number | null; totalMs: number; count: number };
}

/** Logs the times at which the video waits for data. */
const logStalls = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const video = document.querySelector('video');
    const log: StallLog['stallLog'] = { since: null, totalMs: 0, count: 0 };
    (globalThis as unknown as StallLog).stallLog = log;
    video?.addEventListener('waiting', () => (log.since ??= performance.now()));
    video?.addEventListener('playing', () => {
      if (log.since === null) return;
      log.totalMs += performance.now() - log.since;
      log.count += 1;
      log.since = null;
    });
  });

const stallLog = (page: Page) => page.evaluate(() => (globalThis as unknown as StallLog).stallLog);

const audienceOf = async (streamId: string): Promise<Audience> =>
  (await (await owner.request('GET', `/api/data/audience?streamId=${streamId}`)).json()) as Audience;

/** Seconds of media before the connection gets slow. */
const smoothSeconds = 5;
const stallMs = 8_000;

const open = {
  'hls.js': (page: Page, { master, reports }: { master: string; reports: string }) =>
    playWithHlsJs(page, master, {
      lowLatencyMode: false,
      cmcd: { version: 2, includeKeys: [], eventTargets: [{ url: reports, events: ['ps', 'e', 't'] }] },
    }),
  Shaka: (page: Page, { master, reports }: { master: string; reports: string }) =>
    playWithShaka(page, master, {
      // The minifier of Shaka 5.2 renames the key `sta`, so that only the debug build reports states.
      build: 'debug.',
      config: {
        cmcd: {
          enabled: true,
          version: 2,
          // Shaka can create an id only in a secure context, which the page of this test is not.
          sessionId: 'view',
          eventTargets: [{ enabled: true, mode: 'event', url: reports, events: ['ps', 'e', 't'] }],
        },
      },
    }),
  'the watch page': async (page: Page, { playbackId }: { playbackId: string }) => {
    await page.goto(`/watch/${playbackId}`);
  },
} as const;

for (const name of ['hls.js', 'Shaka', 'the watch page'] as const)
  test(`${name} reports the stall of a slow connection as long as it was, and the cause is the connection`, async ({
    page,
  }) => {
    test.setTimeout(150_000);
    const stream = await publish();
    await open[name](page, stream);
    await until(async () => (await timeOf(page)) > smoothSeconds);
    await logStalls(page);
    const network = await page.context().newCDPSession(page);
    const limitTo = (downloadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, uploadThroughput: -1, downloadThroughput },
      });
    await network.send('Network.enable');
    await limitTo(8_000);
    await until(async () => (await stallLog(page)).since !== null);
    await page.waitForTimeout(stallMs);
    await limitTo(-1);
    await until(async () => (await stallLog(page)).since === null);
    const resumedAt = await timeOf(page);
    await until(async () => (await timeOf(page)) > resumedAt + smoothSeconds);
    const { totalMs, count } = await stallLog(page);
    await until(async () => (await reportedStalls(stream.id)).stalls >= count);
    const reported = await reportedStalls(stream.id);
    test
      .info()
      .annotations.push({ type: 'stall', description: JSON.stringify({ totalMs, count, reported }) });
    expect(Math.abs(reported.stallMs - totalMs)).toBeLessThan(totalMs * 0.1);
    await until(async () => (await audienceOf(stream.id)).causes.length > 0);
    // A machine that runs other tests may be out of CPU time, which counts first.
    expect(['viewer_connection', 'server_overloaded']).toContain(
      (await audienceOf(stream.id)).causes[0]?.cause,
    );
  });

test('a stopped encoder is the cause of the stall of its viewers', async ({ page }) => {
  test.setTimeout(150_000);
  const stream = await publish();
  await open['the watch page'](page, stream);
  await until(async () => (await timeOf(page)) > smoothSeconds);
  await logStalls(page);
  stream.encoder.freeze();
  await until(async () => (await stallLog(page)).since !== null);
  await page.waitForTimeout(2_000);
  stream.encoder.thaw();
  await until(async () => (await stallLog(page)).since === null);
  // The cause is determined again when measurements arrive after the stall.
  const silence = async () =>
    (await audienceOf(stream.id)).incidents.find(({ cause }) => cause === 'encoder_silent');
  await until(async () => (await silence()) !== undefined);
  expect((await silence())?.measure).toBeGreaterThan(2_000);
});
