import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SessionView } from '@/app/(dashboard)/sessions/[id]/session-view';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { registry } from '@/lib/contract/registry';
import { getSession, type Session } from '@/lib/contract/sessions/session';

const service = setUpFakeService();
const asset = exampleItemOf(listAssets);
const { id } = exampleOf(getSession);
const ended = { isActive: false, state: 'ended' } as const;

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listAssets, pageOf([]));
});

const show = (change: Partial<Session>) => service().on(getSession, exampleOf(getSession, change));
const requests = () => service().callsOf(listAssets).length;
const link = { name: 'Open the asset' };

/** Requests for the asset during a minute. */
async function requestsInMinute(): Promise<number> {
  const before = requests();
  await vi.advanceTimersByTimeAsync(60_000);
  return requests() - before;
}

test('the asset is requested until the recording is finished, and again after its deletion', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show({ ...ended, recordingStatus: 'waiting' });
  renderPage(<SessionView id={id} />);
  await screen.findByText('Processing');
  expect(await requestsInMinute()).toBeGreaterThan(10);
  show({ ...ended, recordingStatus: 'ready' });
  expect(await requestsInMinute()).toBeGreaterThan(10);
  service().on(listAssets, pageOf([asset]));
  await screen.findByRole('link', link);
  expect(await requestsInMinute()).toBe(0);
  show({ ...ended, recordingStatus: 'deleted' });
  service().on(listAssets, pageOf([]));
  await expect.poll(() => screen.queryByRole('link', link)).toBeNull();
});

test('a session without a recording has no asset to request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show({ ...ended, recordingStatus: 'none' });
  renderPage(<SessionView id={id} />);
  await expect.poll(requests).toBe(1);
  expect(await requestsInMinute()).toBe(0);
});

test.each([
  { gaps: [], count: 'None', lists: 0 },
  { gaps: [{ from: 1_767_225_610_000, to: 1_767_225_615_000 }], count: '1', lists: 1 },
])(
  'a recording with $gaps.length gaps shows $count in its details, and only gaps have a list',
  async ({ gaps, count, lists }) => {
    show({ ...ended, recordingStatus: 'ready', recordingGaps: gaps });
    renderPage(<SessionView id={id} />);
    const name = await screen.findByText('Gaps', { selector: 'dt' });
    expect(name.nextElementSibling?.textContent).toBe(count);
    expect(screen.queryAllByRole('heading', { name: 'Gaps' })).toHaveLength(lists);
  },
);
