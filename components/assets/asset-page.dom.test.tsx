import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AssetView } from '@/app/(dashboard)/assets/[id]/asset-view';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAssetPreview } from '@/lib/contract/access/preview';
import { getAsset } from '@/lib/contract/assets/asset-endpoints';
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
  await screen.findByRole('button', { name: 'Delete asset' });
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
