import { expect, test } from '@playwright/test';
import { Firefox } from '../firefox';
import { Encoder, sourceFile } from '../media/testing/encoder';
import { Owner, rtmpUrl } from '../media/testing/service';
import { makeVideo } from './video';

/** Viewer features in an unmodified Firefox: `FIREFOX_PATH=/usr/bin/firefox-esr npm run test:full`. */

const path = process.env.FIREFOX_PATH;
const base = process.env.BASE_URL ?? '';

interface Seen {
  readonly phase: string | undefined;
  readonly time: number;
  readonly paused: boolean;
  readonly muted: boolean;
  readonly width: number;
}

const readPlayback = (firefox: Firefox) =>
  firefox.evaluate<Seen>(`(() => {
    const video = document.querySelector('video');
    return {
      phase: document.querySelector('[data-phase]')?.dataset.phase,
      time: video?.currentTime ?? 0,
      paused: video?.paused ?? true,
      muted: video?.muted ?? true,
      width: video?.videoWidth ?? 0,
    };
  })()`);

async function expectPlaying(firefox: Firefox): Promise<void> {
  await expect.poll(async () => (await readPlayback(firefox)).phase).toBe('playing');
  const before = await readPlayback(firefox);
  await expect.poll(async () => (await readPlayback(firefox)).time).toBeGreaterThan(before.time + 1);
  expect((await readPlayback(firefox)).width).toBeGreaterThan(0);
}

// Without Firefox there are no tests here.
if (path !== undefined) {
  let firefox: Firefox;
  test.beforeAll(async () => {
    firefox = await Firefox.open(path);
  });
  test.afterAll(() => firefox.close());

  test('a recording plays, and its keyboard shortcuts work', async () => {
    const asset = await makeVideo('River', 60);
    await firefox.goto(`${base}/watch/${asset.playbackId}`);
    await expectPlaying(firefox);
    await firefox.press('k');
    await expect.poll(async () => (await readPlayback(firefox)).paused).toBe(true);
    await firefox.press('5');
    await expect.poll(async () => Math.round((await readPlayback(firefox)).time)).toBe(30);
    const { muted } = await readPlayback(firefox);
    await firefox.press('m');
    await expect.poll(async () => (await readPlayback(firefox)).muted).toBe(!muted);
    await firefox.press('k');
    await expectPlaying(firefox);
  });

  test('a live stream plays in an embed', async () => {
    const owner = await Owner.create();
    const stream = await owner.newStream({ name: 'Harbour' });
    const encoder = new Encoder(await sourceFile(), rtmpUrl(stream.streamKey));
    try {
      await firefox.goto(`${base}/embed/${stream.playbackId}`);
      await expectPlaying(firefox);
    } finally {
      await encoder.kill();
    }
  });
}
