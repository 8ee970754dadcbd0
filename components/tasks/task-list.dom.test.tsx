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
const createTask = (status: Partial<Task['status']>): Task => ({
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
  let storedTasks = tasks;
  service().on(listTasks, () => pageOf(storedTasks));
  const view = (
    <ServerFeaturesProvider value={features}>
      <TasksView />
    </ServerFeaturesProvider>
  );
  return {
    ...renderPage(view, { at: url }),
    /** Replaces the tasks of the fake service. */
    setServerTasks: (newTasks: Task[]) => (storedTasks = newTasks),
  };
}

const findMenuButton = async () => screen.findByRole('button', { name: /^Actions for the task/ });

test('a task shows the name of its asset with a link', async () => {
  openList([createTask({ phase: 'running', progress: 0.4 })]);
  const link = await screen.findByRole('link', { name: asset.name });
  expect(link.getAttribute('href')).toBe(`/assets/${assetId}`);
});

test('a task whose asset is deleted says so', async () => {
  service().on(listAssets, pageOf([]));
  openList([createTask({ phase: 'completed' })]);
  await screen.findByText(/\(deleted\)/);
});

test('a failed task shows the reason and can be retried', async () => {
  service().onExamples(retryTask);
  const { user } = openList([createTask({ phase: 'failed', errorMessage: 'the video is HEVC' })]);
  await screen.findByText(/the video is HEVC/i);
  await user.click(screen.getByRole('button', { name: /^Try again/ }));
  await screen.findByText('Task restarted');
  expect(
    service()
      .callsOf(retryTask)
      .map(({ params }) => params.id),
  ).toEqual([example.id]);
});

test('a failed task whose file the service can convert has a button for that, and no advice to run ffmpeg', async () => {
  const status = { phase: 'failed', errorMessage: 'the file is not an MP4' } as const;
  const failedTask = createTask({ ...status, errorReason: { code: 'not_mp4', params: {} } });
  const features = { ...defaultFeatures, acceptMedia: 'any' } as const;
  openList([{ ...failedTask, type: 'import', params: { import: {} } }], '/tasks', features);
  await screen.findByRole('button', { name: /^Convert now/ });
  expect(screen.queryByText(/^ffmpeg/)).toBeNull();
});

test('a running task is cancelled, and a message is shown if it has already ended', async () => {
  service().reject(cancelTask, 'conflict', 'The task has already completed.');
  const { user } = openList([createTask({ phase: 'running' })]);
  await user.click(await findMenuButton());
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel task' }));
  await screen.findByText('The task has already completed.');
  service().onExamples(cancelTask);
  await user.click(await findMenuButton());
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel task' }));
  await screen.findByText('Task cancelled');
});

test('a task that ended cannot be cancelled', async () => {
  const { user } = openList([createTask({ phase: 'completed' })]);
  await user.click(await findMenuButton());
  const menu = within(await screen.findByRole('menu'));
  menu.getByRole('menuitem', { name: 'Copy task ID' });
  expect(menu.queryByRole('menuitem', { name: 'Cancel task' })).toBeNull();
});

test('filters are in the URL, and are cleared with a button if no task matches', async () => {
  const { user, setServerTasks } = openList([createTask({ phase: 'running' })]);
  await findMenuButton();
  setServerTasks([]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Exports');
  await screen.findByRole('heading', { name: 'No task matches' });
  expect(window.location.search).toBe('?type=export');
  setServerTasks([createTask({ phase: 'running' })]);
  await user.click(screen.getByRole('button', { name: 'Show all tasks' }));
  await findMenuButton();
  expect(window.location.search).toBe('');
});
