import { execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { Owner, until } from '../media/testing/service';
import { chooseQuality, playCounted, players, shownUntil, switchingOf } from './switching';

/** Changes between qualities that are encoded on demand, in two players, seen frame by frame. */

const folder = mkdtempSync(join(tmpdir(), 'switching-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fps = 25;
const seconds = 90;
/** Neighbours differ by 53 of 200 levels, and no frames within four of each other by less than 12. */
const brightness = (frame: number) => 20 + ((53 * frame) % 200);
/** Luma of a gray on the screen, BT.601 and BT.709 alike. */
const lumaOf = (gray: number) => 16 + (gray * 219) / 255;
const tolerance = 5;

function countedFilm(): string {
  const path = join(folder, 'counted.mp4');
  const counter = `nullsrc=s=16x16:r=${fps}:d=${seconds},geq=lum='20+mod(N*53\\,200)':cb=128:cr=128`;
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', `${counter},scale=854:480,setsar=1`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50', '-bf', '2'],
    ...['-c:a', 'aac', '-b:a', '32k', path],
  ]);
  return path;
}

let master = '';
test.beforeAll(async () => {
  const owner = await Owner.create();
  const asked = await owner.request('POST', '/api/asset/request-upload', { name: 'Counted' });
  const { url, asset } = (await asked.json()) as { url: string; asset: Asset };
  expect((await fetch(url, { method: 'PUT', body: await openAsBlob(countedFilm()) })).status).toBe(200);
  await until(async () => {
    const ready = (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
    expect(ready.status.errorMessage).toBeUndefined();
    master = ready.playbackUrl ?? '';
    return ready.status.phase === 'ready';
  }, 120_000);
});

for (const name of players)
  test(`${name} changes the quality up and down, and every frame is the one of its time`, async ({
    page,
  }) => {
    const requested = new Set<string>();
    // A busy machine has no room to encode: then the frames of the file are shown under the same address.
    let substituted = 0;
    page.on('response', (response) => {
      const [, quality] = /\/(source|\d+p)\/[^/]+\.m4s$/.exec(new URL(response.url()).pathname) ?? [];
      if (quality === undefined) return;
      requested.add(quality);
      if (quality !== 'source' && response.headers()['cache-control'] === 'no-store') substituted += 1;
    });
    await playCounted(page, name, master, 480);
    await expect.poll(() => shownUntil(page), { timeout: 60_000 }).toBeGreaterThan(1);
    for (const height of [240, 360, 480, 240]) {
      requested.clear();
      await chooseQuality(page, height);
      const folderOf = height === 480 ? 'source' : `${height}p`;
      await expect.poll(() => [...requested], { timeout: 90_000 }).toContain(folderOf);
      const from = await shownUntil(page);
      await expect.poll(() => shownUntil(page), { timeout: 120_000 }).toBeGreaterThan(from + 9);
    }
    const { frames, errors, gaps } = await switchingOf(page);
    expect(errors).toEqual([]);
    expect(gaps).toBe(0);
    const heights = new Set(frames.map(({ height }) => height));
    if (substituted === 0) expect([...heights].sort()).toEqual([240, 360, 480]);
    test.info().annotations.push({
      type: 'frames',
      description: `${frames.length} shown, heights ${[...heights].join(', ')}, ${substituted} segments substituted`,
    });
    const wrong = frames.filter(
      ({ time, gray }) => Math.abs(lumaOf(gray) - brightness(Math.round(time * fps))) > tolerance,
    );
    expect(wrong).toEqual([]);
    expect(frames.length).toBeGreaterThan(50);
  });
