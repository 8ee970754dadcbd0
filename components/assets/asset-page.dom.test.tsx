import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AssetView } from '@/app/(dashboard)/assets/[id]/asset-view';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { createPlaybackToken } from '@/lib/contract/access/playback-token';
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

test('a failed asset has no subtitles and sharing tabs; the URL of the sharing tab shows the overview', async () => {
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

test('the preview requests a new token when the user returns to the page after four days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const previewRequestCount = () => service().callsOf(getAssetPreview).length;
  renderPage(<AssetView id={asset.id} />);
  await expect.poll(previewRequestCount).toBe(1);
  vi.setSystemTime(Date.now() + 4 * DAY_MS);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(previewRequestCount).toBe(2);
});

async function openMenuOf(shownAsset: Asset) {
  service().on(getAsset, shownAsset);
  const { user } = renderPage(<AssetView id={asset.id} />);
  await user.click(await screen.findByRole('button', { name: `Actions for ${asset.name}` }));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}

test('the menu has items that replace, transcode, export and delete an asset', async () => {
  const items = await openMenuOf(asset);
  expect(items).toEqual(expect.arrayContaining(['Replace file', 'Transcode', 'Export', 'Delete asset']));
});

test('audio without video can be exported, but not transcoded', async () => {
  const { videoSpec } = asset;
  const tracks = videoSpec?.tracks.filter(({ type }) => type === 'audio') ?? [];
  const items = await openMenuOf({ ...asset, ...(videoSpec ? { videoSpec: { ...videoSpec, tracks } } : {}) });
  expect(items).toContain('Export');
  expect(items).not.toContain('Transcode');
});

test('the menu of a restricted asset has no downloads, because it has no token for them', async () => {
  // The page requests the token of the owner.
  service().onExamples(createPlaybackToken);
  const publicItems = await openMenuOf(asset);
  cleanup();
  const restrictedItems = await openMenuOf({ ...asset, playbackPolicy: { type: 'jwt' } });
  expect(publicItems).toEqual(expect.arrayContaining(['Download MP4', 'Download audio']));
  expect(restrictedItems.filter((item) => item.startsWith('Download'))).toEqual([]);
});

test('a failed asset can only be copied or deleted', async () => {
  const { playbackUrl: _playback, downloadUrl: _download, ...unfinishedAsset } = asset;
  const failedItems = await openMenuOf({ ...unfinishedAsset, status: { ...asset.status, phase: 'failed' } });
  expect(failedItems).toEqual(['Copy asset ID', 'Copy as curl', 'Delete asset']);
});

test('the header shows state, duration, size, source and access', async () => {
  service().on(getAsset, asset);
  renderPage(<AssetView id={asset.id} />);
  const header = within((await screen.findByText('Anyone with the link')).closest('header') as HTMLElement);
  for (const text of ['Ready', '1:03', '720p', 'Upload']) header.getByText(text);
});

test('clips of the asset are listed beside the tile for a new clip', async () => {
  service().on(getAsset, asset);
  // Any other UUID serves as the id of the clip.
  const clip = { ...asset, id: asset.userId, name: 'Applause', views: 3 };
  service().on(listAssets, pageOf([clip]));
  renderPage(<AssetView id={asset.id} />);
  const clips = within(await screen.findByRole('region', { name: 'Clips' }));
  expect((await clips.findByRole('link', { name: 'Applause' })).getAttribute('href')).toBe(
    `/assets/${clip.id}`,
  );
  clips.getByText('3 views');
  const [call] = service().callsOf(listAssets);
  expect(call?.query.filters).toBe(JSON.stringify([{ id: 'sourcePlaybackId', value: asset.playbackId }]));
  clips.getByRole('button', { name: 'New clip' });
});

test('chapters are listed with their length, and the arrow keys move between them', async () => {
  const chapters = [
    { start: 0, title: 'Welcome' },
    { start: 20, title: 'Brass' },
  ];
  service().on(getAsset, { ...asset, chapters });
  const { user } = renderPage(<AssetView id={asset.id} />);
  const list = within(await screen.findByRole('region', { name: 'Chapters' }));
  const [welcome, brass] = list.getAllByRole('button', { name: /Welcome|Brass/ });
  // The last chapter ends with the video, which lasts 62.5 s.
  expect([welcome?.textContent, brass?.textContent]).toEqual(['0:00Welcome0:20', '0:20Brass0:42']);
  welcome?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(brass);
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(welcome);
});

test('an asset without chapters shows an example, and its button opens the form', async () => {
  const { chapters: _chapters, ...assetWithoutChapters } = asset;
  service().on(getAsset, assetWithoutChapters);
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
