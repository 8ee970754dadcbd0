import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { HomeView } from '@/app/(dashboard)/home-view';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { type AttentionItem, type Overview, getOverview } from '@/lib/contract/accounts/overview';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { getAudience } from '@/lib/contract/audience/audience';
import { registry } from '@/lib/contract/registry';
import { testTarget } from '@/lib/contract/targets/target-test';
import { retryTask } from '@/lib/contract/tasks/task';
import { HOUR_MS } from '@/lib/core/units';

const service = setUpFakeService();
const audience = exampleOf(getAudience);
const objectId = 'c1d7e0aa-52ab-4f0e-8d3b-6a1b7c9e2f44';

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listAssets, pageOf([]));
});

const findRegion = (name: string) => screen.findByRole('region', { name });

test('the home page shows the watch time and compares it with the week before', async () => {
  // 7 days of 1,800 minutes, after a week of 3,300 - 1,800 = 1,500 minutes: 20 % more.
  service().on(getAudience, ({ query }) => ({
    ...audience,
    views: 1_284,
    playedMinutes: query.minutes === '10080' ? 1_800 : 3_300,
    top: [{ type: 'asset' as const, id: objectId, name: 'Advent concert', views: 640, playedMinutes: 90 }],
  }));
  renderPage(<HomeView />);
  const watchedPanel = await findRegion('Watched in 7 days');
  within(watchedPanel).getByText('30 h, 1,284 views, 20 % more than the week before');
  expect(within(watchedPanel).getByRole('link', { name: 'Advent concert' }).getAttribute('href')).toBe(
    `/assets/${objectId}`,
  );
  within(watchedPanel).getByText('640 views · 1 h 30 min');
});

test('the home page shows no watch time without viewers', async () => {
  service().on(getAudience, { ...audience, views: 0, playedMinutes: 0 });
  renderPage(<HomeView />);
  await findRegion('Live now');
  // Today, the week, and the two weeks until today.
  await expect.poll(() => service().callsOf(getAudience)).toHaveLength(3);
  expect(screen.queryByRole('region', { name: 'Watched in 7 days' })).toBeNull();
});

test('the home page shows the number of problems, and lists each of them', async () => {
  renderPage(<HomeView />);
  const { attention } = exampleOf(getOverview);
  const panel = await findRegion(`Needs attention: ${attention.length}`);
  expect(within(panel).getAllByRole('listitem')).toHaveLength(attention.length);
});

const problemsAndFixes: readonly (readonly [Partial<AttentionItem>, fix: string])[] = [
  [{ kind: 'stream' }, 'Open stream: Choir'],
  [{ kind: 'rejection' }, 'Open stream: Choir'],
  [{ kind: 'target' }, 'Open stream of the target Choir'],
  [{ kind: 'target', targetId: objectId }, 'Test again: Choir'],
  [{ kind: 'recording' }, 'Open recording: Choir'],
  [{ kind: 'task', assetId: objectId }, 'Open asset: Choir'],
  [{ kind: 'task', assetId: objectId, retry: 'again' }, 'Try again: Choir'],
  [{ kind: 'task', assetId: objectId, retry: 'convert' }, 'Convert now: Choir'],
  [{ kind: 'webhook' }, 'Open webhook: Choir'],
  [{ kind: 'quota', name: 'storageBytes' }, 'Open usage'],
];
const exampleProblem = (change: Partial<AttentionItem>): AttentionItem => ({
  kind: 'stream',
  id: objectId,
  name: 'Choir',
  message: 'The recording failed',
  at: null,
  ...change,
});

test.each(problemsAndFixes)('the problem %j has one action, and can be dismissed', async (change, fix) => {
  service().on(getOverview, exampleOf(getOverview, { attention: [exampleProblem(change)] }));
  renderPage(<HomeView />);
  const panel = within(await findRegion('Needs attention: 1'));
  const nameOf = (element: HTMLElement) => element.getAttribute('aria-label') ?? element.textContent;
  const name = change.kind === 'quota' ? 'Storage' : 'Choir';
  const controls = [...panel.getAllByRole('link'), ...panel.queryAllByRole('button')].map(nameOf);
  expect(controls.toSorted()).toEqual([name, `Dismiss: ${name}`, fix].toSorted());
});

test('these tests cover every kind of problem', () => {
  const { options } = getOverview.response.shape.attention.element.shape.kind;
  expect(new Set(problemsAndFixes.map(([{ kind }]) => kind))).toEqual(new Set(options));
});

test('a failed task is retried in place', async () => {
  const attention = [exampleProblem({ kind: 'task', assetId: objectId, retry: 'convert' })];
  service().on(getOverview, exampleOf(getOverview, { attention }));
  service().onExamples(retryTask);
  const { user } = renderPage(<HomeView />);
  const button = await screen.findByRole('button', { name: /^Convert now/ });
  await user.click(button);
  await screen.findByText('Task restarted');
  expect(service().callsOf(retryTask)).toMatchObject([{ params: { id: objectId }, body: { convert: true } }]);
  expect(button.getAttribute('aria-busy')).toBe('true');
});

test('a target is tested in place', async () => {
  const attention = [exampleProblem({ kind: 'target', targetId: objectId })];
  service().on(getOverview, exampleOf(getOverview, { attention }));
  service().onExamples(testTarget);
  const { user } = renderPage(<HomeView />);
  await user.click(await screen.findByRole('button', { name: /^Test again/ }));
  await screen.findByRole('dialog', { name: /Choir/ });
  expect(service().callsOf(testTarget)).toMatchObject([{ params: { id: objectId } }]);
});

test('the attention panel is absent if nothing needs attention', async () => {
  service().on(getOverview, exampleOf(getOverview, { attention: [] }));
  renderPage(<HomeView />);
  await findRegion('Live now');
  expect(screen.queryByRole('region', { name: /Needs attention/ })).toBeNull();
});

test('a new team gets three steps, and a completed step folds', async () => {
  const setSetup = (setup: Overview['setup']) => service().on(getOverview, exampleOf(getOverview, { setup }));
  setSetup({ streamCreated: true, videoReceived: false });
  const { user } = renderPage(<HomeView />);
  const findStep = async (name: RegExp) => {
    const item = (await screen.findByRole('heading', { name, level: 2 })).closest('li');
    if (!item) throw new Error('The heading is in no step');
    return item;
  };
  const send = await findStep(/^Send video/);
  await within(send).findByRole('tablist');
  expect(send.querySelector('details')).toBeNull();
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(3);
  screen.getByText(/1 of 3 steps done/);

  setSetup({ streamCreated: true, videoReceived: true });
  await screen.findByText(/2 of 3 steps done/);
  const fold = (await findStep(/^Send video/)).querySelector('details');
  expect(fold?.open).toBe(false);
  await user.click(within(send).getByText('Show again'));
  expect(fold?.open).toBe(true);
  const share = within(await findStep(/^Watch and share/));
  expect(share.getByRole('group', { name: 'Watch page' }).textContent).toContain('/watch/');
  const links = share.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    [expect.stringMatching(/recording|Record/), expect.stringMatching(/^\/streams\/[^?]+\?tab=/)],
    ['Upload a video', '/assets'],
    ['Create an API key', '/developers/keys?new=1'],
    ['API reference', '/docs'],
  ]);
});

test('a team that has sent video gets no steps', async () => {
  renderPage(<HomeView />);
  await findRegion('Live now');
  expect(screen.queryByText('Get started')).toBeNull();
});

test('an announced stream shows when it starts and what is missing', async () => {
  const { coming } = exampleOf(getOverview);
  const [concert] = coming;
  if (!concert) throw new Error('The example announces no stream');
  const startsAt = Date.now() + 2 * HOUR_MS;
  const announcedStreams = [
    { ...concert, startsAt },
    { ...concert, name: 'Rehearsal', startsAt, ready: { ...concert.ready, keyUsed: false } },
    { ...concert, name: 'Matinee', startsAt, ready: { ...concert.ready, targetsTested: false } },
    { ...concert, name: 'Finale', startsAt, late: true },
  ].map((stream) => ({ ...stream, id: crypto.randomUUID() }));
  service().on(getOverview, exampleOf(getOverview, { coming: announcedStreams }));
  renderPage(<HomeView />);
  const panel = await findRegion('Coming up');
  const textOf = (name: string) => within(panel).getByRole('link', { name }).closest('li')?.textContent;
  expect(textOf('Evening concert')).toMatch(/\d\d( [AP]M)? · Ready, no standby encoder$/);
  expect(textOf('Rehearsal')).toContain('The key was never used');
  expect(textOf('Matinee')).toContain('The targets are not tested');
  expect(textOf('Finale')).toContain('Not live yet');
});
