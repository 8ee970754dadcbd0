import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { uploadsRegion, encodeVideo } from './uploads';
import { expectAccessible, checkPage } from './page-checks';
import { readRectangles } from './positions';
import { createStream, expectPlaying, logIn, setTestPattern } from './page-actions';

const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const filePath = join(folder, 'River at dawn.mp4');

test.beforeAll(() => encodeVideo(filePath, 'testsrc2=size=320x180:rate=25:duration=6'));

/** Drops the bytes of a file on the page under another name, like a file that is dragged from the desktop. */
async function dropFile(page: Page, path: string, name: string, type = 'video/mp4'): Promise<void> {
  const bytes = readFileSync(path).toString('base64');
  const dataTransfer = await page.evaluateHandle(
    ([text, fileName, mime]) => {
      const transfer = new DataTransfer();
      const data = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      transfer.items.add(new File([data], fileName, { type: mime, lastModified: 1 }));
      return transfer;
    },
    [bytes, name, type] as const,
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer });
  await expect(page.getByText('Drop to upload')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer });
  await expect(page.getByText('Drop to upload')).toHaveCount(0);
}

test('a video that is dropped on the home page is uploaded, played, renamed, downloaded, exported, deleted and restored, and a text file is rejected', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Night camera', { record: true });
  await setTestPattern(page, stream.id, true);

  await page.goto('/');
  await dropFile(page, join(import.meta.dirname, 'assets.spec.ts'), 'notes.txt', 'text/plain');
  await expect(page.getByText('“notes.txt” is neither video nor audio.')).toBeVisible();
  await dropFile(page, filePath, 'River at dawn.mp4');
  // Navigation must not interrupt the upload.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click();
  await page
    .getByRole('navigation', { name: 'Pages of Assets' })
    .getByRole('link', { name: 'Tasks' })
    .click();
  await expect(page.getByRole('row', { name: /Upload/ })).toContainText('River at dawn');
  await expect(uploadsRegion(page).getByText('Ready to play')).toBeVisible();
  await expect(uploadsRegion(page).getByRole('status')).toHaveText('1 file ready');
  await expect(page.getByRole('row', { name: /Upload/ })).toContainText('Completed');
  await checkPage(page, 'tasks');
  const [task] = (await (await page.request.get('/api/task?limit=1')).json()) as { id: string }[];
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill(task?.id ?? '');
  await page.getByRole('option', { name: 'import' }).waitFor();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/tasks?task=${task?.id ?? ''}`);
  await expect(page.getByRole('row', { name: /Upload/ })).toBeVisible();

  await uploadsRegion(page).getByRole('link', { name: 'River at dawn.mp4' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('River at dawn');
  await uploadsRegion(page).getByRole('button', { name: 'Close the list of uploads' }).click();
  await expect(uploadsRegion(page)).toHaveCount(0);
  // Playback starts only after a click.
  await expect(page.locator('[data-phase]')).toHaveAttribute('data-phase', 'playing');
  const readState = ({ paused, currentTime }: HTMLVideoElement) => ({ paused, currentTime });
  expect(await page.locator('video').evaluate(readState)).toEqual({ paused: true, currentTime: 0 });
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expectPlaying(page);
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
  await expect(page.getByText(/^H\.264 · 180p25 · /)).toBeVisible();
  await page.getByRole('button', { name: 'Rename asset' }).click();
  await page.getByLabel('Asset name').fill('Dawn');
  await page.keyboard.press('Enter');

  // The page shows the new name before the server that sends the file knows it.
  const readDownloadName = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    ]);
    return download.suggestedFilename();
  };
  await expect.poll(readDownloadName).toBe('Dawn.mp4');

  const openFromMenu = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Dawn' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await openFromMenu('Transcode');
  const transcodeDialog = page.getByRole('dialog', { name: 'Transcode “Dawn”' });
  const fields = ['Bitrate (kbit/s)', 'Frames per second'].map((name) => transcodeDialog.getByLabel(name));
  await expect(async () => {
    const [bitrate, rate] = await readRectangles(page, fields);
    expect(bitrate?.top).toBe(rate?.top);
  }).toPass();
  await transcodeDialog.getByLabel('Width (pixels)').fill('12');
  await transcodeDialog.getByRole('button', { name: 'Transcode' }).click();
  await expect(transcodeDialog.getByText('At least 128')).toBeVisible();
  await expectAccessible(page, 'transcode');
  await page.keyboard.press('Escape');
  await openFromMenu('Export');
  const exportDialog = page.getByRole('dialog', { name: 'Export “Dawn”' });
  await exportDialog.getByLabel('Destination').selectOption({ label: 'Your own URL' });
  await exportDialog.getByRole('button', { name: 'Export' }).click();
  await expect(exportDialog.getByText('Enter a URL')).toBeVisible();
  await expectAccessible(page, 'export');
  await exportDialog.getByLabel('Destination').selectOption({ label: 'IPFS, served from this server' });
  await exportDialog.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('list', { name: 'Tasks' }).getByText('Export to IPFS')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Content identifier (CID)' })).toBeVisible();
  await checkPage(page, 'asset-files');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await checkPage(page, 'asset');

  await page.goto('/sessions');
  await page.getByRole('link', { name: 'Night camera' }).click();
  await expect(page.getByRole('main').getByText('Recording', { exact: true }).first()).toBeVisible();
  await checkPage(page, 'session');
  await page.getByRole('link', { name: 'Recordings' }).last().click();
  await expect(page.getByRole('row', { name: /Night camera/ })).toBeVisible();
  await checkPage(page, 'sessions');
  await setTestPattern(page, stream.id, false);

  await page.goto('/assets');
  await page.getByRole('checkbox', { name: 'Select Dawn' }).click();
  await expect(page.getByText('1 asset selected')).toBeVisible();
  await checkPage(page, 'assets');
  await page.getByRole('button', { name: 'Import URL' }).click();
  await expect(page.getByRole('dialog', { name: 'Import from a URL' })).toBeVisible();
  await expectAccessible(page, 'import');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete asset' }).click();
  await expect(page.getByRole('link', { name: 'Dawn' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('link', { name: 'Dawn' })).toBeVisible();
});
