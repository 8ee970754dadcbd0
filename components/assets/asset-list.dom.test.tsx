import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { AssetsView } from '@/app/(dashboard)/assets/assets-view';
import { exampleItemOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { Asset } from '@/lib/contract/assets/asset';
import {
  deleteAsset,
  getAsset,
  listAssets,
  restoreAsset,
  updateAsset,
} from '@/lib/contract/assets/asset-endpoints';
import { listWebhooks } from '@/lib/contract/webhooks/webhook-endpoints';
import { listIngests } from '@/lib/contract/service';
import { AppError } from '@/lib/core/errors';

const service = setUpFakeService();
const assetId = (number: number) => `9d2f6a58-1c0e-4f5b-8a3d-${String(number).padStart(12, '0')}`;
const exampleAsset = (number: number, name: string, overrides: Partial<Asset> = {}): Asset =>
  exampleItemOf(listAssets, { id: assetId(number), name, ...overrides });
const twoAssets = [exampleAsset(1, 'Part 1'), exampleAsset(2, 'Part 2')];

beforeEach(() => service().onExamples(listIngests));

function openList(assets: readonly Asset[] = twoAssets, url = '/assets') {
  let serverRows = assets;
  service().on(listAssets, () => pageOf(serverRows));
  const page = renderPage(<AssetsView />, { at: url });
  return { ...page, setServerRows: (next: readonly Asset[]) => (serverRows = next) };
}

const lastQuery = () => service().callsOf(listAssets).at(-1)?.query;
const requestedFilters = (): unknown => JSON.parse(lastQuery()?.filters ?? '[]');
const findSelectionBar = () => screen.findByRole('region', { name: 'Selection' });
const selectAll = async (user: ReturnType<typeof openList>['user']) =>
  user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));

test('the row of a failed asset shows the reason', async () => {
  const { status } = exampleAsset(1, 'Part 1');
  openList([
    exampleAsset(1, 'Part 1', { status: { ...status, phase: 'failed', errorMessage: 'the video is HEVC' } }),
  ]);
  within(await screen.findByRole('row', { name: /Part 1/ })).getByText('The video is HEVC.');
});

test('the list shows views and watch time, and can be sorted by them', async () => {
  const unwatchedAsset = exampleAsset(2, 'Part 2');
  delete unwatchedAsset.views;
  delete unwatchedAsset.deliveredMinutes;
  const { user } = openList([
    exampleAsset(1, 'Part 1', { views: 1_204, deliveredMinutes: 61.52 }),
    unwatchedAsset,
  ]);
  const row = within(await screen.findByRole('row', { name: /Part 1/ }));
  row.getByRole('cell', { name: '1,204' });
  row.getByRole('cell', { name: '61.5 min' });
  expect(within(screen.getByRole('row', { name: /Part 2/ })).queryByText(/min$/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await expect.poll(() => lastQuery()?.order).toBe('views-true');
  await user.click(screen.getByRole('button', { name: 'Watch time' }));
  await expect.poll(() => lastQuery()?.order).toBe('deliveredMinutes-true');
});

test('the file of an asset can be replaced from its row, except for a recording', async () => {
  const recording = exampleAsset(2, 'Part 2', { source: { type: 'recording', sessionId: assetId(9) } });
  const { user } = openList([exampleAsset(1, 'Part 1'), recording]);
  await user.click(await screen.findByRole('button', { name: 'Actions for Part 2' }));
  await screen.findByRole('menuitem', { name: 'Delete asset' });
  expect(screen.queryByRole('menuitem', { name: 'Replace file' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Part 1' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Replace file' }));
  await screen.findByRole('dialog', { name: 'Replace the file of “Part 1”' });
});

test('an empty list has a heading, and the page has one upload button', async () => {
  openList([]);
  await screen.findByRole('heading', { name: 'No assets yet' });
  screen.getByRole('button', { name: 'Upload' });
});

test('deleted assets are listed on request and can be restored, but not deleted again', async () => {
  service().onExamples(restoreAsset);
  const { user, setServerRows } = openList(twoAssets, '/assets?status=deleted');
  await selectAll(user);
  expect(lastQuery()?.deleted).toBe('1');
  const selection = within(await findSelectionBar());
  expect(selection.queryByRole('button', { name: 'Delete' })).toBeNull();
  setServerRows([]);
  await user.click(selection.getByRole('button', { name: 'Restore' }));
  await screen.findByText('2 assets restored');
});

describe('filters', () => {
  test('by state and source are combined in the URL and in the request', async () => {
    const { user } = openList();
    await screen.findByRole('row', { name: /Part 1/ });
    await user.click(screen.getByText('Failed', { selector: 'button, label' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Source' }), 'Imports');
    expect(window.location.search).toBe('?status=failed&source=url');
    await expect.poll(requestedFilters).toEqual([
      { id: 'phase', value: 'failed' },
      { id: 'sourceType', value: 'url' },
    ]);
  });

  test('by playback policy', async () => {
    const { user } = openList();
    await screen.findByRole('row', { name: /Part 1/ });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Who can watch' }), 'Signed token');
    expect(window.location.search).toBe('?policy=jwt');
    await expect.poll(() => lastQuery()?.policy).toBe('jwt');
  });

  test('by the search text of the URL', async () => {
    openList([exampleAsset(1, 'Part 1', { tags: ['dawn'] })], '/assets?q=dawn');
    within(await screen.findByRole('row', { name: /Part 1/ })).getByText('dawn');
    expect(lastQuery()).toMatchObject({ search: 'dawn' });
    expect(requestedFilters()).toEqual([]);
  });

  test('that match no asset show a text that differs from that of an empty team', async () => {
    openList([], '/assets?source=recording');
    await screen.findByRole('heading', { name: 'No asset matches' });
  });
});

describe('deleting', () => {
  test('one asset shows its name in the confirmation, and can be undone', async () => {
    service().onExamples(deleteAsset, restoreAsset);
    const { user, setServerRows } = openList();
    await user.click(await screen.findByRole('button', { name: 'Actions for Part 1' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete asset' }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Delete “Part 1”?' }));
    setServerRows(twoAssets.slice(1));
    await user.click(confirm.getByRole('button', { name: 'Delete asset' }));
    await screen.findByText('“Part 1” deleted');
    await expect.poll(() => screen.queryByRole('row', { name: /Part 1/ })).toBeNull();
    setServerRows(twoAssets);
    await user.click(screen.getByRole('button', { name: 'Restore' }));
    await screen.findByText('“Part 1” restored');
    await screen.findByRole('row', { name: /Part 1/ });
    expect(
      service()
        .callsOf(restoreAsset)
        .map(({ params }) => params.id),
    ).toEqual([assetId(1)]);
  });

  test('several assets keeps the assets selected that the service did not delete', async () => {
    const { user, setServerRows } = openList();
    service().on(deleteAsset, ({ params }) => {
      if (params.id === assetId(2)) throw new AppError('conflict', 'A task of this asset is running.');
      setServerRows(twoAssets.slice(1));
    });
    await selectAll(user);
    await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Delete' }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Delete 2 assets?' }));
    await user.click(confirm.getByRole('button', { name: 'Delete 2 assets' }));
    const dialog = within(await screen.findByRole('dialog', { name: '1 of 2 assets was not deleted' }));
    dialog.getByText('A task of this asset is running.');
    const [close] = dialog.getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    within(await findSelectionBar()).getByText('1 asset selected');
    screen.getByRole('checkbox', { name: 'Select Part 2', checked: true });
  });
});

test('a tag is added in lower case to all selected assets', async () => {
  const [first, second] = [exampleAsset(1, 'Part 1', { tags: ['dawn'] }), exampleAsset(2, 'Part 2')];
  service().on(getAsset, ({ params }) => (params.id === first.id ? first : second));
  service().on(updateAsset, ({ params, body }) => ({
    ...exampleAsset(1, 'x'),
    ...params,
    tags: body.tags ?? [],
  }));
  const { user } = openList([first, second]);
  await selectAll(user);
  await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Add tag' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add tag' }));
  await user.type(dialog.getByRole('textbox', { name: 'Tag' }), 'River');
  await user.click(dialog.getByRole('button', { name: 'Add tag' }));
  await screen.findByText('2 assets tagged “river”');
  const calls = service().callsOf(updateAsset);
  expect(calls.map(({ body }) => body.tags)).toEqual([['dawn', 'river'], ['river']]);
});

test('a tag with a comma is rejected without a request', async () => {
  const { user } = openList();
  await selectAll(user);
  await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Add tag' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add tag' }));
  await user.type(dialog.getByRole('textbox', { name: 'Tag' }), 'River, sea');
  await user.click(dialog.getByRole('button', { name: 'Add tag' }));
  dialog.getByText('Enter one tag of at most 50 characters, without commas.');
  expect(service().callsOf(updateAsset)).toEqual([]);
});

test('all selected assets can be made public', async () => {
  service().on(updateAsset, ({ params }) => ({ ...exampleAsset(1, 'x'), ...params }));
  service().onExamples(listWebhooks);
  const { user } = openList();
  await selectAll(user);
  await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Who can watch' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Who can watch' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('2 assets changed');
  expect(
    service()
      .callsOf(updateAsset)
      .map(({ body }) => body),
  ).toEqual([{ playbackPolicy: null }, { playbackPolicy: null }]);
});
