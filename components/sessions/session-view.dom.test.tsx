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
const endedSession = { isActive: false, state: 'ended' } as const;

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listAssets, pageOf([]));
});

/** Sets the session that the service returns. */
const setSession = (change: Partial<Session>) => service().on(getSession, exampleOf(getSession, change));
/** Number of requests for the asset of the session. */
const assetRequestCount = () => service().callsOf(listAssets).length;
const assetLink = { name: 'Open the asset' };

async function assetRequestsInNextMinute(): Promise<number> {
  const countBefore = assetRequestCount();
  await vi.advanceTimersByTimeAsync(60_000);
  return assetRequestCount() - countBefore;
}

test('the asset is requested until it exists; its link disappears after the recording is deleted', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  setSession({ ...endedSession, recordingStatus: 'waiting' });
  renderPage(<SessionView id={id} />);
  await screen.findByText('Processing');
  expect(await assetRequestsInNextMinute()).toBeGreaterThan(10);
  setSession({ ...endedSession, recordingStatus: 'ready' });
  expect(await assetRequestsInNextMinute()).toBeGreaterThan(10);
  service().on(listAssets, pageOf([asset]));
  await screen.findByRole('link', assetLink);
  expect(await assetRequestsInNextMinute()).toBe(0);
  setSession({ ...endedSession, recordingStatus: 'deleted' });
  service().on(listAssets, pageOf([]));
  await expect.poll(() => screen.queryByRole('link', assetLink)).toBeNull();
});

test('for a session without a recording, the asset is requested only once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  setSession({ ...endedSession, recordingStatus: 'none' });
  renderPage(<SessionView id={id} />);
  await expect.poll(assetRequestCount).toBe(1);
  expect(await assetRequestsInNextMinute()).toBe(0);
});

test.each([
  { gaps: [], shownCount: 'None', listCount: 0 },
  { gaps: [{ from: 1_767_225_610_000, to: 1_767_225_615_000 }], shownCount: '1', listCount: 1 },
])(
  'a recording with $gaps.length gaps shows $shownCount in its details, and only gaps have a list',
  async ({ gaps, shownCount, listCount }) => {
    setSession({ ...endedSession, recordingStatus: 'ready', recordingGaps: gaps });
    renderPage(<SessionView id={id} />);
    const gapsLabel = await screen.findByText('Gaps', { selector: 'dt' });
    expect(gapsLabel.nextElementSibling?.textContent).toBe(shownCount);
    expect(screen.queryAllByRole('heading', { name: 'Gaps' })).toHaveLength(listCount);
  },
);
