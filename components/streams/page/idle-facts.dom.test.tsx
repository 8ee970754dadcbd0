import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleItemOf, pageOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { getStreamViewers } from '@/lib/contract/streams/viewers';
import { listTasks } from '@/lib/contract/tasks/task';
import { listSessions, type Session } from '@/lib/contract/sessions/session';
import { DAY_MS, MINUTE_MS } from '@/lib/core/units';
import { IdleFacts } from './idle-facts';

const service = setUpFakeService();
const now = Date.now();
const { id } = exampleItemOf(listSessions);
const recordedStream = { id, startsAt: 0, lastSeen: now - MINUTE_MS, record: true };
const endedSession: Partial<Session> = {
  isActive: false,
  state: 'ended',
  record: true,
  recordingStatus: 'waiting',
};

const createViewerMinute = (minutesAgo: number, viewers: number) => ({
  at: now - minutesAgo * MINUTE_MS,
  viewers,
  views: 1,
});

test('an idle stream shows its announced start and when it was last live', () => {
  service().on(listSessions, pageOf([]));
  const stream = { id, startsAt: now + 2 * DAY_MS, lastSeen: now - 8 * MINUTE_MS, record: false };
  renderPage(<IdleFacts stream={stream} />);
  screen.getByText(/^Next \w{3} \d/);
  expect(screen.getByText(/^Last live/).textContent).toBe('Last live 8 min ago');
});

test.each([
  [2, [], 'Last live 8 min ago for 1 h 12 min'],
  [
    2,
    // The last minute is after the end of the session, 8 minutes ago, so its viewers do not count.
    [createViewerMinute(40, 239.6), createViewerMinute(20, 12), createViewerMinute(1, 900)],
    'Last live 8 min ago for 1 h 12 min, peak 240 viewers',
  ],
  // Viewers are not requested, because they are not kept for so long.
  [40, null, 'Last live 8 min ago for 1 h 12 min'],
] as const)(
  'a session that started %i days ago is shown with its duration, and with its most viewers if they are known',
  async (days, minutes, text) => {
    const sessionTimes = { createdAt: now - days * DAY_MS, sourceSegmentsDuration: 4_330 };
    service().on(listSessions, pageOf([exampleItemOf(listSessions, { ...endedSession, ...sessionTimes })]));
    if (minutes) service().on(getStreamViewers, { viewers: 0, views: 0, minutes: [...minutes] });
    renderPage(<IdleFacts stream={{ ...recordedStream, lastSeen: now - 8 * MINUTE_MS, record: false }} />);
    await expect.poll(() => screen.getByText(/^Last live/).textContent).toBe(text);
    expect(service().callsOf(getStreamViewers)).toHaveLength(minutes ? 1 : 0);
  },
);

test('a stream that was never live and whose announced start has passed shows no times', () => {
  renderPage(<IdleFacts stream={{ id, startsAt: now - MINUTE_MS, lastSeen: 0, record: true }} />);
  expect(screen.queryByText(/Next|Last live/)).toBeNull();
});

test.each([
  ['before its task is created', [], 'Recording is being processed'],
  ['with a task without an estimate', [{ progress: 0.728 }], 'Processing recording: 72 %'],
  [
    'with an estimated end',
    [{ progress: 0.728, updatedAt: now, expectedAt: now + 185_000 }],
    'Processing recording: 72 % · 3 min 05 s left',
  ],
] as const)(
  'a recording that is being processed, %s, is shown with its progress',
  async (_name, statuses, text) => {
    service().on(listSessions, pageOf([exampleItemOf(listSessions, endedSession)]));
    service().on(listAssets, pageOf([exampleItemOf(listAssets)]));
    const runningTasks = statuses.map((status) => {
      const task = exampleItemOf(listTasks);
      return { ...task, status: { ...task.status, phase: 'running' as const, ...status } };
    });
    service().on(listTasks, pageOf(runningTasks));
    renderPage(<IdleFacts stream={recordedStream} />);
    const link = await screen.findByRole('link', { name: text });
    expect(link.getAttribute('href')).toBe(`/sessions/${exampleItemOf(listSessions).id}`);
  },
);

test('a ready recording shows no progress', async () => {
  service().on(
    listSessions,
    pageOf([exampleItemOf(listSessions, { ...endedSession, recordingStatus: 'ready' })]),
  );
  renderPage(<IdleFacts stream={recordedStream} />);
  await expect.poll(() => service().callsOf(listSessions).length).toBeGreaterThan(0);
  expect(screen.queryByRole('link')).toBeNull();
});
