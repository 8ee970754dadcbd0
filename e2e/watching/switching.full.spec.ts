import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { beeps, counterArgs, countedBits } from '@/media-worker/vod/testing/counted-film';
import { encodedLadder, storedHls } from '@/media-worker/vod/testing/rendition-fixtures';
import { chooseQuality, playCounted, players, switchingOf, untilShown } from './switching';

/** Quality changes in two players, checked frame by frame. */

const folder = mkdtempSync(join(tmpdir(), 'switching-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Long enough for three changes, each of which may take two segments. */
const [fps, seconds] = [25, 44];

function film(): string {
  const path = join(folder, 'counted.mp4');
  execFileSync('ffmpeg', [
    ...[
      '-v',
      'error',
      '-nostdin',
      ...counterArgs({ size: '854x480', fps, seconds }),
      ...beeps({ rate: 44_100, seconds }),
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-bf', '2', '-c:a', 'aac', path],
  ]);
  return path;
}

let files = '';
test.beforeAll(async () => {
  const { storage, source } = await storedHls(folder, film(), 'film');
  if (!source) throw new Error('the film has no renditions');
  // The test encodes the ladder itself, because a busy service would substitute frames of the file.
  files = await encodedLadder(folder, { storage, source });
});

for (const name of players)
  test(`${name} switches between renditions, and every frame is the one of its time`, async ({
    page,
    baseURL,
  }) => {
    const address = new URL('/counted-film/', baseURL).href;
    await page.route(`${address}**`, async (route) => {
      const file = route.request().url().slice(address.length);
      await route.fulfill(file === '' ? { contentType: 'text/html', body: '' } : { path: join(files, file) });
    });
    await page.goto(address);
    await playCounted(page, name, { url: `${address}index.m3u8`, height: 480, bits: countedBits });
    for (const height of [480, 240, 360, 480]) {
      await chooseQuality(page, height);
      await untilShown(page, height);
    }
    await expect.poll(async () => (await switchingOf(page)).ended, { timeout: 120_000 }).toBe(true);
    const { frames, errors, ranges } = await switchingOf(page);
    expect(errors).toEqual([]);
    expect(ranges).toBe(1);
    test
      .info()
      .annotations.push({ type: 'frames', description: `${frames.length} of ${seconds * fps} seen` });
    const invertedMask = 2 ** countedBits - 1;
    const start = (frames[0]?.time ?? 0) - (frames[0]?.upper ?? 0) / fps;
    const wrong = frames.filter(
      ({ time, upper, lower }) =>
        upper + lower !== invertedMask || Math.abs(time - start - upper / fps) > 0.001,
    );
    expect(wrong).toEqual([]);
    // Two frames of reordering, and a priming frame of audio.
    expect(start).toBeLessThan(0.11);
  });
