import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { TasksView } from '@/app/(dashboard)/tasks/tasks-view';
import {
  defaultFeatures,
  type ServerFeatures,
  ServerFeaturesProvider,
} from '@/components/shell/server-features';
import { exampleItemOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { listIngests } from '@/lib/contract/service';
import { cancelTask, listTasks, retryTask, type Task } from '@/lib/contract/tasks/task';

const service = setUpFakeService();
const example = exampleItemOf(listTasks);
const task = (status: Partial<Task['status']>): Task => ({
  ...example,
  status: { ...example.status, ...status },
});

const assetId = example.outputAssetId ?? example.inputAssetId ?? '';
const asset = { ...exampleItemOf(listAssets), id: assetId };

beforeEach(() => {
  service().onExamples(listIngests);
  service().on(listAssets, pageOf([asset]));
});

function openList(tasks: Task[], url = '/tasks', features: ServerFeatures = defaultFeatures) {
  let serverRows = tasks;
  service().on(listTasks, () => pageOf(serverRows));
  const view = (
    <ServerFeaturesProvider value={features}>
      <TasksView />
    </ServerFeaturesProvider>
  );
  return { ...renderPage(view, { at: url }), setServerTasks: (next: Task[]) => (serverRows = next) };
}

const actions = async () => screen.findByRole('button', { name: /^Actions for the task/ });

test('a task shows the name of its asset with a link', async () => {
  openList([task({ phase: 'running', progress: 0.4 })]);
  const link = await screen.findByRole('link', { name: asset.name });
  expect(link.getAttribute('href')).toBe(`/assets/${assetId}`);
});

test('the asset of a task may be deleted', async () => {
  service().on(listAssets, pageOf([]));
  openList([task({ phase: 'completed' })]);
  await screen.findByText(/\(deleted\)/);
});

test('a failed task shows the reason and can be retried', async () => {
  service().onExamples(retryTask);
  const { user } = openList([task({ phase: 'failed', errorMessage: 'the video is HEVC' })]);
  await screen.findByText(/the video is HEVC/i);
  await user.click(screen.getByRole('button', { name: /^Try again/ }));
  await screen.findByText('Task restarted');
  expect(
    service()
      .callsOf(retryTask)
      .map(({ params }) => params.id),
  ).toEqual([example.id]);
});

test('a failed task whose file the service can convert offers that alone, and no command to convert it', async () => {
  const status = { phase: 'failed', errorMessage: 'the file is not an MP4' } as const;
  const converted = task({ ...status, errorReason: { code: 'not_mp4', params: {} } });
  const features = { ...defaultFeatures, acceptMedia: 'any' } as const;
  openList([{ ...converted, type: 'import', params: { import: {} } }], '/tasks', features);
  await screen.findByRole('button', { name: /^Convert now/ });
  expect(screen.queryByText(/^ffmpeg/)).toBeNull();
});

test('a running task is cancelled; a task that ended meanwhile shows that', async () => {
  service().reject(cancelTask, 'conflict', 'The task has already completed.');
  const { user } = openList([task({ phase: 'running' })]);
  await user.click(await actions());
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel task' }));
  await screen.findByText('The task has already completed.');
  service().onExamples(cancelTask);
  await user.click(await actions());
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel task' }));
  await screen.findByText('Task cancelled');
});

test('a task that ended cannot be cancelled', async () => {
  const { user } = openList([task({ phase: 'completed' })]);
  await user.click(await actions());
  const menu = within(await screen.findByRole('menu'));
  menu.getByRole('menuitem', { name: 'Copy task ID' });
  expect(menu.queryByRole('menuitem', { name: 'Cancel task' })).toBeNull();
});

test('filters are in the URL; no match differs from an empty team', async () => {
  const { user, setServerTasks } = openList([task({ phase: 'running' })]);
  await actions();
  setServerTasks([]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Exports');
  await screen.findByRole('heading', { name: 'No task matches' });
  expect(window.location.search).toBe('?type=export');
  setServerTasks([task({ phase: 'running' })]);
  await user.click(screen.getByRole('button', { name: 'Show all tasks' }));
  await actions();
  expect(window.location.search).toBe('');
});
