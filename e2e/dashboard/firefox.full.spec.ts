import { expect, test } from '@playwright/test';
import { Firefox } from '../firefox';
import { Encoder, createSourceFile } from '../media/testing/encoder';
import { ApiAccount, rtmpUrl } from '../media/testing/service';
import { inspectBar, controlsByWidth } from './player-bar';
import { createVideoAsset } from './video';

// Viewer features in an unmodified Firefox, if one is installed.

const firefoxPath = process.env.FIREFOX_PATH ?? '';
const baseUrl = process.env.BASE_URL ?? '';

interface PlaybackState {
  /** Phase of the player, for example `playing`. */
  readonly phase: string | undefined;
  /** Position of the video in seconds. */
  readonly time: number;
  readonly paused: boolean;
  readonly muted: boolean;
  /** Width of the decoded video in pixels; 0 before the first frame. */
  readonly videoWidth: number;
}

const readPlayback = (firefox: Firefox) =>
  firefox.evaluate<PlaybackState>(`(() => {
    const video = document.querySelector('video');
    return {
      phase: document.querySelector('[data-phase]')?.dataset.phase,
      time: video?.currentTime ?? 0,
      paused: video?.paused ?? true,
      muted: video?.muted ?? true,
      videoWidth: video?.videoWidth ?? 0,
    };
  })()`);

async function expectPlaying(firefox: Firefox): Promise<void> {
  await expect.poll(async () => (await readPlayback(firefox)).phase).toBe('playing');
  const before = await readPlayback(firefox);
  await expect.poll(async () => (await readPlayback(firefox)).time).toBeGreaterThan(before.time + 1);
  expect((await readPlayback(firefox)).videoWidth).toBeGreaterThan(0);
}

// Without Firefox, this file has no tests.
if (firefoxPath !== '') {
  let firefox: Firefox;
  test.beforeAll(async () => {
    firefox = await Firefox.open(firefoxPath);
  });
  test.afterAll(() => firefox.close());

  test('an asset plays, and the keys K, 5 and M pause it, go to its middle and toggle its sound', async () => {
    const asset = await createVideoAsset('River', 60);
    await firefox.goto(`${baseUrl}/watch/${asset.playbackId}`);
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

  test('the control bar has its buttons inside the picture at widths from 320 to 2560 px', async () => {
    const asset = await createVideoAsset('River', 60);
    await firefox.goto(`${baseUrl}/embed/${asset.playbackId}`);
    await expectPlaying(firefox);
    const readBar = () =>
      firefox.evaluate<ReturnType<typeof inspectBar>>(
        `(${inspectBar.toString()})(document.querySelector('[data-controls]'))`,
      );
    // Older versions of Firefox have their own button for picture in picture, and no API for it.
    const hasPictureInPicture = await firefox.evaluate<boolean>('document.pictureInPictureEnabled === true');
    for (const [width, names] of controlsByWidth) {
      await firefox.setViewport(width, Math.round((width * 9) / 16));
      const expectedNames = names
        .filter((name) => hasPictureInPicture || name !== 'Picture in picture')
        .sort();
      await expect
        .poll(async () => (await readBar()).names, { message: `${width} px` })
        .toEqual(expectedNames);
      const { outside, overlaps, scrollWidth } = await readBar();
      expect({ outside, overlaps, scrollWidth }).toEqual({ outside: [], overlaps: [], scrollWidth: width });
    }
  });

  test('the key C shows and then hides subtitles', async () => {
    const owner = await ApiAccount.create();
    const asset = await createVideoAsset('River', 30, owner);
    const body = 'WEBVTT\n\n00:00.000 --> 00:30.000\nThe spring\n';
    const track = { language: 'en', label: 'English', body };
    expect((await owner.request('POST', `/api/asset/${asset.id}/tracks`, track)).status).toBe(201);
    await firefox.goto(`${baseUrl}/watch/${asset.playbackId}`);
    await expectPlaying(firefox);
    const readShownTexts = () =>
      firefox.evaluate<string[]>(`Array.from(document.querySelector('video').textTracks)
        .filter(({ mode }) => mode === 'showing')
        .flatMap(({ activeCues }) => Array.from(activeCues ?? [], ({ text }) => text))`);
    await firefox.press('c');
    await expect.poll(readShownTexts).toEqual(['The spring']);
    await firefox.press('c');
    await expect.poll(readShownTexts).toEqual([]);
  });

  test('a live stream plays in an embed, and plays again after its encoder has reconnected', async () => {
    const owner = await ApiAccount.create();
    const stream = await owner.createStream({ name: 'Harbour' });
    const publish = async () => new Encoder(await createSourceFile(), rtmpUrl(stream.streamKey));
    let encoder = await publish();
    try {
      await firefox.goto(`${baseUrl}/embed/${stream.playbackId}`);
      await expectPlaying(firefox);
      await encoder.kill();
      await expect.poll(async () => (await readPlayback(firefox)).phase).not.toBe('playing');
      encoder = await publish();
      await expectPlaying(firefox);
    } finally {
      await encoder.kill();
    }
  });
}
