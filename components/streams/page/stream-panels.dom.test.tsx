import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { Asset } from '@/lib/contract/assets/asset';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { listSessions, type Session } from '@/lib/contract/sessions/session';
import type { Stream } from '@/lib/contract/streams/stream';
import { getStream, updateStream } from '@/lib/contract/streams/stream-endpoints';
import { getStreamViewers } from '@/lib/contract/streams/viewers';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';
import { StreamEventsPanel } from '@/components/streams/activity/events-panel';
import { StreamRenditionsPanel } from '@/components/streams/renditions/renditions-panel';
import { StreamSessionsPanel } from '@/components/streams/activity/sessions-panel';
import { ViewerHistoryPanel } from '@/components/streams/viewers/viewers-panel';

const service = setUpFakeService();
const { id } = exampleOf(getStream);

describe('the sessions of a stream', () => {
  const createSession = (change: Partial<Session>): Session => exampleItemOf(listSessions, change);
  const endedSession = {
    isActive: false,
    state: 'ended',
    recordingStatus: 'ready',
    mp4Url: 'http://localhost:8080/r/1.mp4',
  } as const;
  const openPanel = (...sessions: Session[]) => {
    service().on(listSessions, pageOf(sessions));
    return renderPage(<StreamSessionsPanel id={id} />);
  };

  test('are replaced by an explanation while there are no sessions', async () => {
    openPanel();
    await screen.findByText('No sessions yet. A session starts when video arrives.');
    expect(screen.queryByRole('link', { name: 'All sessions' })).toBeNull();
  });

  test('include a live session that is being recorded, without a download', async () => {
    openPanel(createSession({ isActive: true, recordingStatus: 'waiting' }));
    const item = within(await screen.findByRole('listitem'));
    item.getByText('Recording');
    expect(item.queryByRole('link', { name: 'MP4' })).toBeNull();
    expect(screen.getByRole('link', { name: 'All sessions' }).getAttribute('href')).toBe(
      `/sessions?stream=${id}`,
    );
  });

  test('link a ready recording to its asset and its file', async () => {
    const asset = exampleItemOf(listAssets);
    service().on(listAssets, pageOf([asset]));
    const { id: sessionId } = createSession({});
    openPanel(createSession(endedSession));
    const link = await screen.findByRole('link', { name: 'Asset' });
    expect(link.getAttribute('href')).toBe(`/assets/${asset.id}`);
    expect(screen.getByRole('link', { name: 'MP4' }).getAttribute('href')).toBe(
      `${endedSession.mp4Url}?download`,
    );
    expect(
      service()
        .callsOf(listAssets)
        .map(({ query }) => query.filters),
    ).toEqual([JSON.stringify([{ id: 'sourceSessionId', value: sessionId }])]);
  });

  test('have no link if the asset of the recording is deleted', async () => {
    service().on(listAssets, pageOf([]));
    openPanel(createSession(endedSession));
    await screen.findByText('Ready');
    await expect.poll(() => service().callsOf(listAssets)).toHaveLength(1);
    expect(screen.queryByRole('link', { name: 'Asset' })).toBeNull();
  });

  test('have a link only while the asset exists, which is checked when the user returns to the page', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    service().on(listAssets, pageOf([]));
    openPanel(createSession(endedSession));
    await expect.poll(() => service().callsOf(listAssets)).toHaveLength(1);
    const returnToPage = (assets: Asset[]) => {
      service().on(listAssets, pageOf(assets));
      vi.setSystemTime(Date.now() + 60_000);
      window.dispatchEvent(new Event('visibilitychange'));
    };
    returnToPage([exampleItemOf(listAssets)]);
    await screen.findByRole('link', { name: 'Asset' });
    returnToPage([]);
    await expect.poll(() => screen.queryByRole('link', { name: 'Asset' })).toBeNull();
  });

  test('show why a recording failed', async () => {
    openPanel(
      createSession({ isActive: false, recordingStatus: 'failed', recordingError: 'the disk was full' }),
    );
    await screen.findByText('Failed');
    screen.getByText('The disk was full.');
  });
});

describe('the renditions of a stream', () => {
  async function openEditor(change: Partial<Stream> = {}) {
    const stream = exampleOf(getStream, change);
    const { user } = renderPage(<StreamRenditionsPanel stream={stream} />);
    await user.click(screen.getByRole('button', { name: 'Edit renditions' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Renditions' }));
    const rendition = (number: number) => within(dialog.getByRole('group', { name: `Rendition ${number}` }));
    const fillField = async (number: number, field: string, text: string) => {
      const input = rendition(number).getByRole('textbox', { name: field });
      await user.clear(input);
      await user.type(input, text);
    };
    return {
      user,
      dialog,
      rendition,
      fillField,
      save: () => user.click(dialog.getByRole('button', { name: 'Save renditions' })),
    };
  }
  const sentProfiles = () =>
    service()
      .callsOf(updateStream)
      .map(({ body }) => body.profiles);

  test('are saved all together, with bitrates in bit/s', async () => {
    service().onExamples(updateStream);
    const { user, dialog, fillField, save } = await openEditor();
    await user.click(dialog.getByRole('button', { name: '360p' }));
    await fillField(2, 'kbit/s', '700');
    await save();
    await screen.findByText('Renditions saved');
    expect(sentProfiles()).toMatchObject([[{ name: '720p' }, { name: '360p', bitrate: 700_000 }]]);
  });

  test('can all be removed, and a preset cannot be added twice', async () => {
    service().onExamples(updateStream);
    const { user, dialog, save } = await openEditor();
    const preset = dialog.getByRole<HTMLButtonElement>('button', { name: '720p' });
    expect(preset.disabled).toBe(true);
    await user.click(dialog.getByRole('button', { name: 'Remove rendition 1' }));
    dialog.getByText('None. Viewers get the source.');
    expect(preset.disabled).toBe(false);
    await save();
    await expect.poll(sentProfiles).toEqual([[]]);
  });

  test('that are invalid show errors at their fields', async () => {
    const { user, dialog, rendition, fillField, save } = await openEditor();
    await user.click(dialog.getByRole('button', { name: 'Other' }));
    await fillField(2, 'Name', '720p');
    await fillField(2, 'Width', 'wide');
    await save();
    await expect.poll(() => dialog.queryAllByRole('alert').some(({ textContent }) => textContent)).toBe(true);
    // The width is no number, and the height is empty. Names are compared once all values are valid.
    for (const name of ['Width', 'Height'])
      expect(rendition(2).getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true');
    expect(sentProfiles()).toEqual([]);
  });

  test('that are sent to a target cannot be removed', async () => {
    const targets = [{ id, profile: '720p' }];
    const { user, dialog, save } = await openEditor({ multistream: { targets } });
    await user.click(dialog.getByRole('button', { name: 'Remove rendition 1' }));
    await save();
    await dialog.findByText(/720p/, { selector: '[role=alert]' });
    expect(sentProfiles()).toEqual([]);
  });

  test('that the service rejects stay in the form, with its message at the field', async () => {
    service().reject(updateStream, 'invalid', {
      field: 'profiles[0].bitrate',
      message: 'must be at most 100000000',
    });
    const { rendition, fillField, save } = await openEditor();
    await fillField(1, 'kbit/s', '90000');
    await save();
    await rendition(1).findByText('Must be at most 100,000 kbit/s');
    expect(rendition(1).getByRole<HTMLInputElement>('textbox', { name: 'kbit/s' }).value).toBe('90000');
  });
});

describe('the viewers of a stream', () => {
  const openPanel = ({ live } = { live: true }) =>
    renderPage(
      <ViewerHistoryPanel id={id} watchUrl="http://localhost:3000/watch/abc" live={live} className="" />,
    );

  test('are hidden for an idle stream without views', async () => {
    service().on(getStreamViewers, { viewers: 0, views: 0, minutes: [] });
    const { container } = openPanel({ live: false });
    await expect.poll(() => service().callsOf(getStreamViewers)).not.toHaveLength(0);
    expect(container.textContent).toBe('');
  });

  test('of an idle stream are shown for past sessions', async () => {
    service().onExamples(getStreamViewers);
    openPanel({ live: false });
    await screen.findByText('Peak');
  });

  test('of a live stream without views show where it can be watched', async () => {
    service().on(getStreamViewers, { viewers: 0, views: 0, minutes: [] });
    openPanel();
    const link = await screen.findByRole('link', { name: 'http://localhost:3000/watch/abc' });
    expect(link.getAttribute('target')).toBe('_blank');
    expect(screen.queryByText('24 hours')).toBeNull();
  });

  test('are loaded for a longer period when it is chosen', async () => {
    service().onExamples(getStreamViewers);
    const { user } = openPanel();
    await screen.findByText('Peak');
    await user.click(screen.getByText('7 days'));
    await expect
      .poll(() => service().callsOf(getStreamViewers).at(-1)?.query.minutes)
      .toBe(String(7 * 24 * 60));
  });

  test('show that a period without views is empty, and keep the totals', async () => {
    service().on(getStreamViewers, { viewers: 0, views: 340, minutes: [] });
    openPanel();
    await screen.findByText('No viewers in this period.');
    screen.getByText('Watching now');
  });
});

describe('the events of a stream', () => {
  test('are replaced by an explanation and their retention while there are no events', async () => {
    service().on(listStreamEvents, pageOf([]));
    renderPage(<StreamEventsPanel id={id} />);
    await screen.findByText('No events in the last 30 days.');
  });

  test('that are older are on the next page', async () => {
    const event = exampleItemOf(listStreamEvents);
    service().on(listStreamEvents, ({ query }) =>
      pageOf([event], { total: null, nextCursor: query.cursor === undefined ? 'older' : null }),
    );
    const { user } = renderPage(<StreamEventsPanel id={id} />);
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await expect.poll(() => service().callsOf(listStreamEvents).at(-1)?.query.cursor).toBe('older');
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    await expect.poll(() => service().callsOf(listStreamEvents).at(-1)?.query.cursor).toBeUndefined();
  });
});
