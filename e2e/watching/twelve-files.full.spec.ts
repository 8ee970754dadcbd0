import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { logIn } from '../dashboard/page-actions';
import { lastFrameNumberOf, makeDeviceFile, decodeFrameNumbers, deviceFiles } from './device-files';

const folder = mkdtempSync(join(tmpdir(), 'twelve-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Drops several files on the page with one drop event. */
async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({
    name: path.slice(folder.length + 1),
    bytes: readFileSync(path).toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of files) {
      const data = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      // The same time in every run: the page identifies an upload by name, size and time.
      transfer.items.add(new File([data], name, { lastModified: 1 }));
    }
    return transfer;
  }, files);
  await page.dispatchEvent('main', 'dragenter', { dataTransfer });
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}

const readAssets = async (page: Page): Promise<Asset[]> =>
  (await (await page.request.get('/api/asset?limit=50')).json()) as Asset[];

/**
 * Reads the brightness of the displayed picture in 12 × 2 cells (landscape) and in 2 × 12 cells (portrait). Frames show their
 * number as black and white cells (counted-video.ts), upright or rotated.
 */
const readBrightness = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const read = (width: number, height: number) => {
      const canvas = document.createElement('canvas');
      // Scaling averages each cell to 8 × 8 pixels; the one in its middle is read.
      [canvas.width, canvas.height] = [width * 8, height * 8];
      const context = canvas.getContext('2d');
      context?.drawImage(video, 0, 0, canvas.width, canvas.height);
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return Array.from({ length: width * height }, (_, pixelIndex) => {
        const [x, y] = [(pixelIndex % width) * 8 + 4, Math.floor(pixelIndex / width) * 8 + 4];
        // The red channel is the brightness, because the cells are gray.
        return data[(y * canvas.width + x) * 4] ?? 0;
      });
    };
    return { landscape: read(12, 2), portrait: read(2, 12) };
  });

test('twelve files from phones, screen recorders, editors and cameras are dropped together and play to the last frame', async ({
  page,
}) => {
  test.slow();
  const paths: string[] = [];
  // One at a time, because intermediate files have the same names.
  for (const name of Object.keys(deviceFiles)) paths.push(await makeDeviceFile(name, folder));
  await logIn(page);
  await page.goto('/assets');
  await dropFiles(page, paths);
  const readPhases = async () =>
    (await readAssets(page)).map(({ name, status }) => [name, status.phase, status.errorMessage]);
  await expect
    .poll(async () => (await readPhases()).filter(([, phase]) => phase === 'ready').length, {
      message: 'all twelve are ready',
      intervals: [1_000],
      timeout: 400_000,
    })
    .toBe(paths.length);
  for (const { name, playbackId } of await readAssets(page)) {
    await test.step(name, async () => {
      const path = paths.find((file) => file.startsWith(join(folder, `${name}.`))) ?? '';
      const lastFrameNumber = await lastFrameNumberOf(path);
      // Every file ends after frame 40, so a lower number was misread.
      expect(lastFrameNumber).toBeGreaterThan(40);
      await page.goto(`/watch/${playbackId}`);
      const readState = () =>
        page
          .locator('video')
          .evaluate(({ ended, error }: HTMLVideoElement) => ({ ended, error: error?.message }));
      await expect.poll(readState).toEqual({ ended: true, error: undefined });
      const { landscape, portrait } = await readBrightness(page);
      expect({ name, frameNumbers: decodeFrameNumbers(landscape, portrait) }).toEqual({
        name,
        frameNumbers: expect.arrayContaining([lastFrameNumber]) as unknown,
      });
    });
  }
});
