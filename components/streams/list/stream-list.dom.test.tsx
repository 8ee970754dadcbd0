import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { StreamsView } from '@/app/(dashboard)/streams/streams-view';
import {
  exampleItemOf,
  setUpFakeService,
  createDelayedResponse,
  pageOf,
} from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listIngests } from '@/lib/contract/service';
import type { Stream } from '@/lib/contract/streams/stream';
import {
  deleteStream,
  listStreams,
  setStreamRecord,
  updateStream,
} from '@/lib/contract/streams/stream-endpoints';
import { getStreamPreview } from '@/lib/contract/access/preview';
import { listViewers } from '@/lib/contract/streams/viewers';
import { AppError } from '@/lib/core/errors';

const service = setUpFakeService();

const idOf = (number: number) => `f3a1c7de-93b8-4d26-9a55-${String(number).padStart(12, '0')}`;
const createStreamRow = (number: number, name: string, change: Partial<Stream> = {}): Stream =>
  exampleItemOf(listStreams, { id: idOf(number), name, ...change });
const threeStreams = [
  createStreamRow(1, 'Council'),
  createStreamRow(2, 'Concert'),
  createStreamRow(3, 'Lecture'),
];

beforeEach(() => {
  service().onExamples(listIngests);
  service().on(listViewers, []);
});

function openList(streams: readonly Stream[] = threeStreams, url = '/streams') {
  let storedStreams = streams;
  service().on(listStreams, () => pageOf(storedStreams));
  return {
    ...renderPage(<StreamsView />, { at: url }),
    /** Deletes a stream of the fake service. */
    removeFromServer: (id: string) =>
      (storedStreams = storedStreams.filter((storedStream) => storedStream.id !== id)),
  };
}

const findRow = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const checkboxLabels = async () => {
  const table = within(await screen.findByRole('table', { name: 'Streams' }));
  return table
    .getAllByRole('checkbox', { name: /^Select (?!all)/ })
    .map((box) => box.getAttribute('aria-label'));
};
const lastQuery = () => service().callsOf(listStreams).at(-1)?.query;
const filtersOf = (query: ReturnType<typeof lastQuery>): unknown => JSON.parse(query?.filters ?? '[]');
const findCheckbox = async (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` });
const findSelectionBar = () => screen.findByRole('region', { name: 'Selection' });

describe('the content of the list', () => {
  test('has each stream with its status and its viewers', async () => {
    service().on(listViewers, [
      { streamId: idOf(1), playbackId: threeStreams[0]?.playbackId ?? '', viewers: 12, views: 340 },
    ]);
    openList([
      createStreamRow(1, 'Council', { isActive: true }),
      createStreamRow(2, 'Concert', { suspended: true }),
      createStreamRow(3, 'Lecture'),
    ]);
    const liveRow = within(await findRow('Council'));
    liveRow.getByText('Live');
    await liveRow.findByText('12 watching');
    within(await findRow('Concert')).getByText('Suspended');
    within(await findRow('Lecture')).getByText('Idle');
  });

  test('has thumbnails of live streams, with a token for restricted streams', async () => {
    service().on(getStreamPreview, { token: 'abc.def' });
    openList([
      createStreamRow(1, 'Council', { isActive: true, playbackPolicy: { type: 'jwt' } }),
      createStreamRow(2, 'Concert', { isActive: true, playbackPolicy: { type: 'public' } }),
      createStreamRow(3, 'Lecture', { playbackPolicy: { type: 'jwt' } }),
    ]);
    const pictureIn = async (name: string) => (await findRow(name)).querySelector('img')?.src;
    await expect.poll(() => pictureIn('Council')).toMatch(/thumbnail\.jpg\?at=\d+&preview=abc\.def$/);
    expect(await pictureIn('Concert')).toMatch(/thumbnail\.jpg\?at=\d+$/);
    expect(await pictureIn('Lecture')).toBeUndefined();
    expect(service().callsOf(getStreamPreview)).toHaveLength(1);
  });

  test('is a heading without a search field if there are no streams', async () => {
    openList([]);
    await screen.findByRole('heading', { name: 'No streams yet' });
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('offers to clear the filters if there is no result', async () => {
    const { user } = openList([], '/streams?q=xyz&status=live');
    await screen.findByRole('heading', { name: 'No stream matches' });
    await user.click(screen.getByRole('button', { name: 'Show all streams' }));
    expect(window.location.search).toBe('');
    await expect.poll(() => filtersOf(lastQuery())).toEqual([]);
  });

  test('is an error with a button that retries if the list could not be loaded', async () => {
    service().reject(listStreams, 'invalid', { field: 'cursor', message: 'is invalid' });
    const { user } = renderPage(<StreamsView />, { at: '/streams?cursor=x' });
    const alert = within(await screen.findByRole('alert'));
    alert.getByText('cursor: is invalid');
    service().on(listStreams, pageOf(threeStreams));
    await user.click(alert.getByRole('button', { name: 'Try again' }));
    await findRow('Council');
  });
});

describe('the URL', () => {
  test('sets the query of the list', async () => {
    openList(threeStreams, '/streams?q=hall&status=recording&sort=name-asc&size=50');
    await findRow('Council');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('hall');
    expect(lastQuery()).toMatchObject({ limit: '50', order: 'name-false' });
    expect(filtersOf(lastQuery())).toEqual([
      { id: 'record', value: true },
      { id: 'name', value: 'hall' },
    ]);
  });

  test('changes with the search and the filter, and returns to the first page', async () => {
    const { user } = openList(threeStreams, '/streams?cursor=abc');
    await user.type(await screen.findByRole('searchbox', { name: 'Search streams by name' }), 'hall');
    expect(window.location.search).toBe('?q=hall');
    await user.click(screen.getByText('Suspended', { selector: 'button, label' }));
    expect(window.location.search).toBe('?q=hall&status=suspended');
    await expect
      .poll(() => filtersOf(lastQuery()))
      .toEqual([
        { id: 'suspended', value: true },
        { id: 'name', value: 'hall' },
      ]);
  });

  test('contains the cursor of the page', async () => {
    service().on(listStreams, ({ query }) =>
      query.cursor === undefined
        ? pageOf([createStreamRow(1, 'Council')], { nextCursor: 'next', total: 2 })
        : pageOf([createStreamRow(2, 'Concert')], { total: 2 }),
    );
    const { user } = renderPage(<StreamsView />, { at: '/streams' });
    await findRow('Council');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await findRow('Concert');
    expect(window.location.search).toBe('?cursor=next');
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    await findRow('Council');
  });

  test('contains the order after clicks on a column header', async () => {
    const { user } = openList();
    await user.click(await screen.findByRole('button', { name: 'Name' }));
    expect(window.location.search).toBe('?sort=name-asc');
    await user.click(screen.getByRole('button', { name: 'Name' }));
    expect(window.location.search).toBe('?sort=name-desc');
    await expect.poll(() => lastQuery()?.order).toBe('name-true');
  });
});

describe('selected streams', () => {
  test('are counted, and deselected by another filter', async () => {
    const { user } = openList();
    await user.click(await findCheckbox('Council'));
    await user.click(await findCheckbox('Lecture'));
    within(await findSelectionBar()).getByText('2 streams selected');
    await user.click(screen.getByText('Idle', { selector: 'button, label' }));
    await expect.poll(() => screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  });

  test('include the rows between two clicks with shift', async () => {
    const { user } = openList();
    await user.click(await findCheckbox('Council'));
    await user.keyboard('{Shift>}');
    await user.click(await findCheckbox('Lecture'));
    await user.keyboard('{/Shift}');
    within(await findSelectionBar()).getByText('3 streams selected');
  });

  test('can be all matching streams, not only this page', async () => {
    service().on(listStreams, ({ query }) =>
      query.limit === '1000'
        ? pageOf(threeStreams)
        : pageOf(threeStreams.slice(0, 2), { nextCursor: 'next', total: 3 }),
    );
    const { user } = renderPage(<StreamsView />, { at: '/streams' });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Select all 3' }));
    await within(await findSelectionBar()).findByText('3 streams selected');
  });

  test('are deleted together, and streams that the service does not delete return to the list with the reason', async () => {
    const { user, removeFromServer } = openList();
    service().on(deleteStream, ({ params: { id } }) => {
      if (id === idOf(2)) throw new AppError('conflict', 'The stream is being recorded.');
      removeFromServer(id);
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Delete' }));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Delete 3 streams?' }));
    confirm.getByText(/“Council”, “Concert”, “Lecture”/);
    await user.type(confirm.getByRole('textbox'), 'delete{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: '1 of 3 streams was not deleted' }));
    dialog.getByText('Concert');
    dialog.getByText('The stream is being recorded.');
    await screen.findByText('2 streams deleted');
    service().on(deleteStream, ({ params }) => void removeFromServer(params.id));
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    await screen.findByText('“Concert” deleted');
    await screen.findByRole('heading', { name: 'No streams yet' });
    expect(service().callsOf(deleteStream)).toHaveLength(4);
  });

  test('show the change before the service has confirmed it', async () => {
    const { user } = openList();
    const reply = createDelayedResponse<undefined>();
    service().on(setStreamRecord, () => reply.response);
    await user.click(await findCheckbox('Council'));
    await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Change' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Recording on' }));
    await within(await findRow('Council')).findByText('On');
    within(await findSelectionBar()).getByText('0 of 1 done');
    reply.reject('conflict', 'The stream is being deleted.');
    await screen.findByRole('dialog', { name: '“Council” was not switched to recording' });
    await expect.poll(() => screen.queryByText('On')).toBeNull();
  });

  test('are changed by a second request if the service limits the rate of the first', async () => {
    const { user } = openList();
    let remainingRejections = 1;
    service().on(updateStream, () => {
      if (remainingRejections-- > 0) throw new AppError('rate_limited', 'Too many requests');
    });
    await user.click(await findCheckbox('Council'));
    await user.click(within(await findSelectionBar()).getByRole('button', { name: 'Change' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Suspend' }));
    await screen.findByText('“Council” suspended');
    expect(service().callsOf(updateStream)).toHaveLength(2);
  });
});

describe('a single stream', () => {
  async function chooseMenuItem(item: string) {
    const page = openList();
    await page.user.click(await screen.findByRole('button', { name: 'Actions for Concert' }));
    await page.user.click(await screen.findByRole('menuitem', { name: item }));
    return page;
  }

  test.each([
    ['Copy stream ID', idOf(2), 'Stream ID copied'],
    [
      'Copy playback URL',
      `http://localhost:8080/hls/${threeStreams[1]?.playbackId ?? ''}/index.m3u8`,
      'Playback URL copied',
    ],
    ['Copy as curl', `/api/stream/${idOf(2)}`, 'curl command copied'],
  ])('“%s” copies its value to the clipboard', async (item, text, confirmation) => {
    await chooseMenuItem(item);
    await screen.findByText(confirmation);
    expect(await navigator.clipboard.readText()).toContain(text);
  });

  test('is deleted only after the word “delete” is entered', async () => {
    const { user, removeFromServer } = await chooseMenuItem('Delete stream');
    service().on(deleteStream, ({ params }) => void removeFromServer(params.id));
    const confirm = within(await screen.findByRole('alertdialog', { name: 'Delete “Concert”?' }));
    await user.type(confirm.getByRole('textbox'), 'Council');
    expect(confirm.getByRole<HTMLButtonElement>('button', { name: 'Delete stream' }).disabled).toBe(true);
    await user.clear(confirm.getByRole('textbox'));
    await user.type(confirm.getByRole('textbox'), 'delete');
    await user.click(confirm.getByRole('button', { name: 'Delete stream' }));
    await screen.findByText('Deleted “Concert”');
    await expect.poll(checkboxLabels).toEqual(['Select Council', 'Select Lecture']);
  });
});
