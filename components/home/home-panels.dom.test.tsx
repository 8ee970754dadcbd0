import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { HomeView } from '@/app/(dashboard)/home-view';
import { TeamProvider } from '@/components/teams/use-team';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import {
  type AttentionItem,
  dismissProblem,
  getOverview,
  type Overview,
} from '@/lib/contract/accounts/overview';
import type { LiveStream } from '@/lib/contract/accounts/overview-live';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { getAudience } from '@/lib/contract/audience/audience';
import { registry } from '@/lib/contract/registry';
import { HOUR_MS } from '@/lib/core/units';
import { formatTimeOnAir, formatWatchTime } from './home-text';

const service = setUpFakeService();
const audience = exampleOf(getAudience);
const [exampleStream] = exampleOf(getOverview).live.streams;
const exampleLiveStream = (overrides: Partial<LiveStream>): LiveStream => {
  if (!exampleStream) throw new Error('The example has no live stream');
  return { ...exampleStream, id: crypto.randomUUID(), ...overrides };
};
const idleLive = { count: 0, streams: [], lastLiveAt: Date.now() - 48 * HOUR_MS };

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listAssets, pageOf([]));
});

const setOverview = (overrides: Partial<Overview>) =>
  service().on(getOverview, exampleOf(getOverview, overrides));
const findRegion = (name: string | RegExp) => screen.findByRole('region', { name });
const factsOf = (heading: HTMLElement) =>
  [...(heading.closest('header')?.querySelectorAll('li') ?? [])].map((item) => item.textContent);
const statusLine = async () => factsOf(await screen.findByRole('heading', { level: 1 }));

describe('the status line', () => {
  test('has the number of live streams, their viewers, bitrate and targets', async () => {
    const streams = [exampleLiveStream({}), exampleLiveStream({ name: 'Choir' })];
    setOverview({
      live: {
        count: 3,
        streams,
        viewers: 287,
        bitrate: 5_300_000,
        targets: { connected: 5, count: 6 },
      },
    });
    renderPage(<HomeView />);
    expect(await statusLine()).toEqual(['3 live', '287 watching', '5.3 Mbit/s in', '5 of 6 targets live']);
  });

  test('leaves out what is not known', async () => {
    setOverview({ live: { count: 1, streams: [exampleLiveStream({})], viewers: 0, bitrate: null } });
    renderPage(<HomeView />);
    expect(await statusLine()).toEqual(['1 live', '0 watching']);
  });

  test('has the next announced start and the end of the last session while nothing is live', async () => {
    setOverview({ live: idleLive });
    renderPage(<HomeView />);
    expect(await statusLine()).toEqual([
      'Nothing live',
      expect.stringMatching(/^Next: /),
      expect.stringMatching(/^Last live: /),
    ]);
  });

  test('says only that nothing is live in a team that was never live', async () => {
    setOverview({ live: { ...idleLive, lastLiveAt: null }, coming: [] });
    renderPage(<HomeView />);
    expect(await statusLine()).toEqual(['Nothing live']);
  });
});

describe('live streams', () => {
  test('show time on air, viewers, bitrate and health', async () => {
    const streams = [
      exampleLiveStream({ name: 'Service', onAirSeconds: 2_537, viewers: 212, bitrate: 6_100_000 }),
      exampleLiveStream({
        name: 'Class',
        isHealthy: false,
        issues: ['Keyframes every 8 s', 'Hint: no sound'],
      }),
      exampleLiveStream({ name: 'Camera', isHealthy: null, issues: null, bitrate: null }),
    ];
    setOverview({ live: { count: 3, streams } });
    renderPage(<HomeView />);
    const cards = within(await findRegion('Live now')).getAllByRole('listitem');
    const [first, second, third] = cards.map(({ textContent }) => textContent);
    expect(first).toBe('LiveOn air for 42:17Service212212 viewers6.1 Mbit/sHealthy');
    expect(second).toContain('1 issue');
    expect(third).not.toMatch(/Healthy|issue|bit\/s/);
  });

  test('show their targets and the first issue if only one is live', async () => {
    const issues = ['Hint: no sound', 'Keyframes every 8 s'];
    setOverview({ live: { count: 1, streams: [exampleLiveStream({ isHealthy: false, issues })] } });
    renderPage(<HomeView />);
    const panel = within(await findRegion('Live now'));
    panel.getByText('1 of 2 targets live');
    panel.getByText(/^Keyframes every 8 s/);
  });

  test('are linked if there are more than the page shows', async () => {
    const streams = Array.from({ length: 12 }, () => exampleLiveStream({}));
    setOverview({ live: { count: 14, streams } });
    renderPage(<HomeView />);
    const link = within(await findRegion('Live now')).getByRole('link', { name: '2 more' });
    expect(link.getAttribute('href')).toBe('/streams?status=live');
  });

  test('are replaced by the next announced stream while none is live, which is not listed twice', async () => {
    setOverview({ live: idleLive });
    renderPage(<HomeView />);
    const panel = within(await findRegion('Next stream'));
    panel.getByRole('link', { name: 'Evening concert' });
    expect(screen.queryByRole('region', { name: 'Live now' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Coming up' })).toBeNull();
  });
});

describe('dismissed problems', () => {
  const exampleProblem = (name: string): AttentionItem => ({
    kind: 'webhook',
    id: crypto.randomUUID(),
    name,
    message: 'Deliveries are failing',
    at: Date.now() - HOUR_MS,
  });

  test('are shown on request, without buttons', async () => {
    setOverview({
      attention: [exampleProblem('Chat')],
      dismissed: [exampleProblem('Bot'), exampleProblem('Log')],
    });
    const { user } = renderPage(<HomeView />);
    const panel = within(await findRegion('Needs attention: 1'));
    expect(panel.getAllByRole('listitem')).toHaveLength(1);
    await user.click(panel.getByRole('button', { name: 'Show 2 dismissed' }));
    const list = within(panel.getByRole('list', { name: 'Dismissed problems' }));
    expect(list.getAllByRole('listitem')).toHaveLength(2);
    expect(list.queryAllByRole('button')).toEqual([]);
    await user.click(panel.getByRole('button', { name: 'Hide dismissed' }));
    expect(panel.getAllByRole('listitem')).toHaveLength(1);
  });

  test('with the keys j and e are counted before the service responds', async () => {
    setOverview({ attention: [exampleProblem('Chat'), exampleProblem('Bot')], dismissed: [] });
    service().onExamples(dismissProblem);
    const { user } = renderPage(<HomeView />);
    await findRegion('Needs attention: 2');
    await user.keyboard('j');
    expect(document.activeElement?.textContent).toBe('Chat');
    // No further overview arrives, so the panel can change only before the service responds.
    service().on(getOverview, () => new Promise(() => undefined));
    await user.keyboard('e');
    const panel = within(await findRegion('Needs attention: 1'));
    panel.getByRole('button', { name: 'Show 1 dismissed' });
    expect(document.activeElement?.textContent).toBe('Bot');
    expect(service().callsOf(dismissProblem)).toMatchObject([{ body: { name: 'Chat' } }]);
  });
});

describe('today', () => {
  const readFigures = async () =>
    [...(await findRegion('Today')).querySelectorAll('dl > div')].map(
      (item) => `${item.querySelector('dt')?.textContent} ${item.querySelector('dd')?.textContent}`,
    );

  test('has six figures and the viewers since midnight', async () => {
    service().on(getAudience, { ...audience, playedMinutes: 11_280, stalledShare: 0.003, peak: 315 });
    renderPage(<HomeView />);
    const chart = await screen.findByRole('img', { name: /peak 315/ });
    expect(chart.closest('section')?.getAttribute('aria-label')).toBe('Today');
    expect(await readFigures()).toEqual([
      'Views 268',
      'Watched 188 h',
      'Peak viewers 315',
      'Stalled 0.3 %',
      'Start-up, p95 2.6 s',
      expect.stringMatching(/^Delivered( \(UTC day\))? 922 MB$/),
    ]);
  });

  test('shows no figures that were not measured, and says so', async () => {
    const unmeasured = { measured: false, views: 0, playedMinutes: 0, peak: 0, points: [] };
    service().on(getAudience, { ...audience, ...unmeasured });
    renderPage(<HomeView />);
    await screen.findByText(/Playback is not measured/);
    expect((await readFigures()).slice(0, 5)).toEqual([
      'Views –',
      'Watched –',
      'Peak viewers –',
      'Stalled –',
      'Start-up, p95 –',
    ]);
  });

  test('says that it could not be loaded', async () => {
    service().reject(getAudience, 'forbidden');
    renderPage(<HomeView />);
    await screen.findByText(/could not be loaded/);
  });
});

test('recent videos have their duration, progress, state and views', async () => {
  const { videoSpec } = exampleItemOf(listAssets);
  if (!videoSpec) throw new Error('The example has no duration');
  const exampleAsset = (overrides: Partial<ReturnType<typeof exampleItemOf<typeof listAssets>>>) => ({
    ...exampleItemOf(listAssets, { createdAt: Date.now() - HOUR_MS }),
    id: crypto.randomUUID(),
    ...overrides,
  });
  const updatedAt = Date.now();
  service().on(
    listAssets,
    pageOf([
      exampleAsset({ name: 'Ready', videoSpec: { ...videoSpec, duration: 4_324 }, views: 1_284 }),
      exampleAsset({ name: 'Running', status: { phase: 'processing', progress: 0.64, updatedAt } }),
      exampleAsset({ name: 'Broken', status: { phase: 'failed', updatedAt } }),
    ]),
  );
  renderPage(<HomeView />);
  const panel = within(await findRegion('Recent recordings and uploads'));
  await panel.findByText('1:12:04');
  const textOf = (name: string) => panel.getByRole('link', { name }).closest('li')?.textContent;
  expect(textOf('Ready')).toMatch(/ · 1,284 views$/);
  expect(panel.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('64');
  expect(textOf('Running')).toContain('64');
  expect(textOf('Broken')).toContain('Failed');
});

describe('the set-up line', () => {
  const setup = { ...exampleOf(getOverview).setup, memberInvited: false };

  test('has the next step, and disappears after the last', async () => {
    setOverview({ setup });
    renderPage(<HomeView />);
    const line = within(await findRegion('Set-up'));
    line.getByText('Set up: 4 of 5 done');
    expect(line.getByRole('link', { name: 'Invite' }).getAttribute('href')).toBe('/settings/team');
    setOverview({ setup: { ...setup, memberInvited: true } });
    await expect.poll(() => screen.queryByRole('region', { name: 'Set-up' }), { timeout: 5_000 }).toBeNull();
  });
});

test('a member with the role viewer sees no buttons', async () => {
  const attention: AttentionItem[] = [
    { kind: 'task', id: crypto.randomUUID(), name: 'Notes', message: 'x', at: null, retry: 'again' },
  ];
  setOverview({ attention, setup: { ...exampleOf(getOverview).setup, watched: false } });
  renderPage(
    <TeamProvider value={{ id: '', name: 'Parish', role: 'viewer' }}>
      <HomeView />
    </TeamProvider>,
  );
  await findRegion('Needs attention: 1');
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Set-up' })).toBeNull();
});

test('times on air are formatted as a clock, or as days and hours', () => {
  expect([40, 2_537, 4_120, 86_400 * 6 + 3_600 * 3].map(formatTimeOnAir)).toEqual([
    '0:40',
    '42:17',
    '1:08:40',
    '6 d 3 h',
  ]);
});

test('watch times are formatted in seconds, minutes or hours', () => {
  expect([0.5, 125, 114_360].map((minutes) => formatWatchTime(minutes, 'en'))).toEqual([
    '30 s',
    '2 h 05 min',
    '1,906 h',
  ]);
});
