import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { beepArgs, frameNumberInputArgs, FRAME_NUMBER_BITS } from '@/media-worker/vod/testing/counted-video';
import { encodeRenditions, storeHls } from '@/media-worker/vod/testing/rendition-fixtures';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { chooseQuality, playCountedVideo, players, readSwitchResult, waitForHeight } from './switching';

// Changes of quality in hls.js and Shaka Player, checked frame by frame.

const folder = mkdtempSync(join(tmpdir(), 'switching-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Frame rate and length of the test video: three changes of quality may take two segments each. */
const [fps, seconds] = [25, 44];

async function makeCountedVideo(): Promise<string> {
  const path = join(folder, 'counted.mp4');
  await runFfmpeg(
    ...[
      ...frameNumberInputArgs({ size: '854x480', fps, seconds }),
      ...beepArgs({ sampleRate: 44_100, seconds }),
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-bf', '2', '-c:a', 'aac', path],
  );
  return path;
}

let filesFolder = '';
test.beforeAll(async () => {
  const { storage, source } = await storeHls(folder, await makeCountedVideo(), 'film');
  if (!source) throw new Error('The test video has no renditions');
  // The test encodes the renditions itself, because a busy service would substitute frames of the file.
  filesFolder = await encodeRenditions(folder, { storage, source });
});

for (const name of players)
  test(`${name} switches between renditions and shows each frame at its time`, async ({ page, baseURL }) => {
    const pageUrl = new URL('/counted-film/', baseURL).href;
    await page.route(`${pageUrl}**`, async (route) => {
      const file = route.request().url().slice(pageUrl.length);
      await route.fulfill(
        file === '' ? { contentType: 'text/html', body: '' } : { path: join(filesFolder, file) },
      );
    });
    await page.goto(pageUrl);
    await playCountedVideo(page, name, { url: `${pageUrl}index.m3u8`, height: 480, bits: FRAME_NUMBER_BITS });
    for (const height of [480, 240, 360, 480]) {
      await chooseQuality(page, height);
      await waitForHeight(page, height);
    }
    await expect.poll(async () => (await readSwitchResult(page)).ended, { timeout: 120_000 }).toBe(true);
    const { frames, errors, ranges } = await readSwitchResult(page);
    expect(errors).toEqual([]);
    expect(ranges).toBe(1);
    test
      .info()
      .annotations.push({ type: 'frames', description: `${frames.length} of ${seconds * fps} seen` });
    const invertedMask = 2 ** FRAME_NUMBER_BITS - 1;
    const startSeconds = (frames[0]?.time ?? 0) - (frames[0]?.upper ?? 0) / fps;
    const wrongFrames = frames.filter(
      ({ time, upper, lower }) =>
        upper + lower !== invertedMask || Math.abs(time - startSeconds - upper / fps) > 0.001,
    );
    expect(wrongFrames).toEqual([]);
    // Two reordered frames and one priming frame of audio delay the start by less than 0.11 s.
    expect(startSeconds).toBeLessThan(0.11);
  });
