import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AssetView } from '@/app/(dashboard)/assets/[id]/asset-view';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAssetPreview } from '@/lib/contract/access/preview';
import type { Asset } from '@/lib/contract/assets/asset';
import { getAsset, listAssets } from '@/lib/contract/assets/asset-endpoints';
import { registry } from '@/lib/contract/registry';
import { listTasks } from '@/lib/contract/tasks/task';
import { DAY_MS } from '@/lib/core/units';

const service = setUpFakeService();
const asset = exampleOf(getAsset);

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listTasks, pageOf([]));
});

const tabNames = () =>
  within(screen.getByRole('tablist', { name: 'Parts of the asset' }))
    .getAllByRole('tab')
    .map(({ textContent }) => textContent);

test('the tab in the URL is selected, and Clip and Share are available on it', async () => {
  service().on(getAsset, asset);
  renderPage(<AssetView id={asset.id} />, { at: `/assets/${asset.id}?tab=files` });
  await screen.findByText('MD5');
  expect(tabNames()).toEqual([
    'Overview',
    'Subtitles & chapters',
    'Sharing & access',
    'Audience',
    'Files & tasks',
  ]);
  expect(screen.getByRole('tab', { name: 'Files & tasks' }).getAttribute('aria-selected')).toBe('true');
  screen.getByRole('button', { name: 'Clip' });
  screen.getByRole('button', { name: 'Share' });
});

test('a failed asset has no subtitles and sharing tabs; their URLs show the overview', async () => {
  service().on(
    getAsset,
    exampleOf(getAsset, { status: { ...asset.status, phase: 'failed', errorMessage: 'no video' } }),
  );
  renderPage(<AssetView id={asset.id} />, { at: `/assets/${asset.id}?tab=sharing` });
  const tabs = await screen.findByRole('tablist', { name: 'Parts of the asset' });
  within(tabs).getByRole('tab', { name: 'Overview', selected: true });
  expect(tabNames()).toEqual(['Overview', 'Files & tasks']);
  expect(screen.queryByRole('button', { name: 'Clip' })).toBeNull();
});

test('the preview of a page that is open for days gets a new token before the old one expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokens = () => service().callsOf(getAssetPreview).length;
  renderPage(<AssetView id={asset.id} />);
  await expect.poll(tokens).toBe(1);
  vi.setSystemTime(Date.now() + 4 * DAY_MS);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(tokens).toBe(2);
});

async function openMenu(shownAsset: Asset) {
  service().on(getAsset, shownAsset);
  const { user } = renderPage(<AssetView id={asset.id} />);
  await user.click(await screen.findByRole('button', { name: `Actions for ${asset.name}` }));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}

test('the menu replaces, transcodes, exports and deletes an asset', async () => {
  const items = await openMenu(asset);
  expect(items).toEqual(expect.arrayContaining(['Replace file', 'Transcode', 'Export', 'Delete asset']));
});

test('audio without video cannot be transcoded, and a failed asset can only be deleted', async () => {
  const { videoSpec } = asset;
  const tracks = videoSpec?.tracks.filter(({ type }) => type === 'audio') ?? [];
  const items = await openMenu({ ...asset, ...(videoSpec ? { videoSpec: { ...videoSpec, tracks } } : {}) });
  expect(items).toContain('Export');
  expect(items).not.toContain('Transcode');
  cleanup();
  const { playbackUrl: _playback, downloadUrl: _download, ...rest } = asset;
  const failedItems = await openMenu({ ...rest, status: { ...asset.status, phase: 'failed' } });
  expect(failedItems).toEqual(['Copy asset ID', 'Copy as curl', 'Delete asset']);
});

test('the status line has duration, size, source and access', async () => {
  service().on(getAsset, asset);
  renderPage(<AssetView id={asset.id} />);
  const header = within((await screen.findByText('Anyone with the link')).closest('header') as HTMLElement);
  for (const text of ['Ready', '1:03', '720p', 'Upload']) header.getByText(text);
});

test('clips of the asset are listed beside the tile for a new one', async () => {
  service().on(getAsset, asset);
  const clip = { ...asset, id: asset.userId, name: 'Applause', views: 3 };
  service().on(listAssets, pageOf([clip]));
  const { user } = renderPage(<AssetView id={asset.id} />);
  const clips = within(await screen.findByRole('region', { name: 'Clips' }));
  expect((await clips.findByRole('link', { name: 'Applause' })).getAttribute('href')).toBe(
    `/assets/${clip.id}`,
  );
  clips.getByText('3 views');
  const [call] = service().callsOf(listAssets);
  expect(call?.query.filters).toBe(JSON.stringify([{ id: 'sourcePlaybackId', value: asset.playbackId }]));
  clips.getByRole('button', { name: 'New clip' });
  expect(user).toBeDefined();
});

test('chapters are listed with their length, and the arrow keys move between them', async () => {
  const chapters = [
    { start: 0, title: 'Welcome' },
    { start: 20, title: 'Brass' },
  ];
  service().on(getAsset, { ...asset, chapters });
  const { user } = renderPage(<AssetView id={asset.id} />);
  const list = within(await screen.findByRole('region', { name: 'Chapters' }));
  const [welcome, brass] = list.getAllByRole('button').slice(1);
  expect([welcome?.textContent, brass?.textContent]).toEqual(['0:00Welcome0:20', '0:20Brass0:42']);
  welcome?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(brass);
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(welcome);
});

test('an asset without chapters shows an example, and its button opens the form', async () => {
  const { chapters: _chapters, ...rest } = asset;
  service().on(getAsset, rest);
  const { user } = renderPage(<AssetView id={asset.id} />);
  const list = within(await screen.findByRole('region', { name: 'Chapters' }));
  list.getByText('Introduction');
  await user.click(list.getByRole('button', { name: 'Add' }));
  await screen.findByRole('tab', { name: 'Subtitles & chapters', selected: true });
});

test('the description and the tags become forms with Edit', async () => {
  service().on(getAsset, { ...asset, description: 'A river at dawn.', tags: ['dawn'] });
  const { user } = renderPage(<AssetView id={asset.id} />);
  const panel = within(await screen.findByRole('region', { name: 'Description' }));
  panel.getByText('A river at dawn.');
  panel.getByText('dawn');
  await user.click(panel.getByRole('button', { name: 'Edit' }));
  expect((await panel.findByRole<HTMLInputElement>('textbox', { name: 'Tags' })).value).toBe('dawn');
  await user.click(panel.getByRole('button', { name: 'Done' }));
  expect(panel.queryByRole('textbox')).toBeNull();
});
