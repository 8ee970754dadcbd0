import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { UploadsProvider } from '@/components/upload/uploads-provider';
import type * as UploadTransfer from '@/lib/client/uploads/upload-transfer';
import type { Asset } from '@/lib/contract/assets/asset';
import { deleteAsset, getAsset } from '@/lib/contract/assets/asset-endpoints';
import { replaceAsset } from '@/lib/contract/assets/replace';
import { cancelTask, getTask, listTasks, type Task } from '@/lib/contract/tasks/task';
import { ReplacementProgress } from './replacement';
import { isReplaceable, ReplaceFileDialog } from './replace-file';

/** Endpoints of the started transfers. */
const { transferEndpoints } = vi.hoisted(() => ({ transferEndpoints: [] as string[] }));

vi.mock('@/lib/client/uploads/upload-transfer', async (original) => ({
  ...(await original<typeof UploadTransfer>()),
  startTransfer: (_file: File, _taskId: string, endpoint: string) => {
    transferEndpoints.push(endpoint);
    return { stop: () => undefined };
  },
}));

const service = setUpFakeService();
const asset = exampleOf(getAsset);
const { task } = exampleOf(replaceAsset);
const tusEndpoint = 'http://localhost:8080/api/asset/upload/tus?token=new';

beforeEach(() => {
  transferEndpoints.length = 0;
  service().onExamples(cancelTask, deleteAsset);
  service().on(getTask, task);
  service().on(replaceAsset, { url: 'http://localhost:8080/u', tusEndpoint, asset, task });
});

function openPage(shownAsset: Asset, tasks: readonly Task[] = []) {
  service().on(listTasks, ({ query }) => pageOf(query.filters?.includes('output') ? [...tasks] : []));
  return renderPage(
    <UploadsProvider account="ada@example.com">
      <DialogOwner asset={shownAsset} />
      <ReplacementProgress asset={shownAsset} />
    </UploadsProvider>,
  );
}

function DialogOwner({ asset }: { asset: Asset }) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <ReplaceFileDialog asset={asset} onClose={() => setOpen(false)} />;
}

test('a new file is sent to the URL of the replacement; cancelling keeps the asset', async () => {
  const { user } = openPage(asset);
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText(/Viewers see the current file until the new one is ready/);
  const file = new File(['film'], 'better.mp4', { type: 'video/mp4' });
  await user.upload(dialog.querySelector('input[type=file]') as HTMLElement, file);
  await expect.poll(() => transferEndpoints).toEqual([tusEndpoint]);
  expect(service().callsOf(replaceAsset)).toMatchObject([{ params: { id: asset.id }, body: {} }]);
  await user.click(await screen.findByRole('button', { name: 'Cancel better.mp4' }));
  await expect.poll(() => service().callsOf(cancelTask).length).toBe(1);
  expect(service().callsOf(deleteAsset)).toEqual([]);
});

test('a new file is downloaded from a URL, and an error of the service is shown at the URL field', async () => {
  service().reject(replaceAsset, 'invalid', { field: 'url', message: 'must not be a private address' });
  const { user } = openPage(asset);
  const dialog = within(await screen.findByRole('dialog'));
  const replace = dialog.getByRole('button', { name: 'Replace from the URL' });
  await user.click(replace);
  const field = await dialog.findByRole('textbox', { name: 'File URL', description: /Enter the file URL/ });
  expect(service().callsOf(replaceAsset)).toEqual([]);
  await user.click(field);
  await user.paste('https://files.example.com/better.mp4');
  await user.click(replace);
  await dialog.findByRole('textbox', { name: 'File URL', description: /Must not be a private address/ });
  service().on(replaceAsset, { asset, task });
  await user.click(replace);
  await screen.findByText('A new file is on its way');
  expect(screen.queryByRole('dialog')).toBeNull();
  const body = { url: 'https://files.example.com/better.mp4' };
  expect(service().callsOf(replaceAsset)).toMatchObject([{ body }, { params: { id: asset.id }, body }]);
});

test('the page shows the progress of the new file', async () => {
  const status = { ...task.status, phase: 'running', progress: 0.4 } as const;
  openPage(asset, [{ ...task, status }]);
  await screen.findByText('The new file is being processed');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
});

test('a finished replacement is not shown', async () => {
  openPage(asset, [{ ...task, status: { ...task.status, phase: 'completed' } }]);
  await expect.poll(() => service().callsOf(listTasks).length).toBeGreaterThan(1);
  expect(screen.queryByRole('status')).toBeNull();
});

test('the file of a ready asset can be replaced, except that of a recording', () => {
  expect(isReplaceable(asset)).toBe(true);
  expect(isReplaceable({ ...asset, source: { type: 'recording', sessionId: asset.id } })).toBe(false);
  expect(isReplaceable({ ...asset, status: { ...asset.status, phase: 'processing' } })).toBe(false);
});
