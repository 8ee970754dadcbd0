import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AssetsView } from '@/app/(dashboard)/assets/assets-view';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import { StreamsView } from '@/app/(dashboard)/streams/streams-view';
import { exampleOf, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { setUpStreamPage, streamId } from '@/components/testing/stream-page';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { getStream, listStreams } from '@/lib/contract/streams/stream-endpoints';
import { listViewers } from '@/lib/contract/streams/viewers';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { TeamProvider } from './use-team';

const { service } = setUpStreamPage();

const pages = {
  stream: <StreamView id={streamId} />,
  streams: <StreamsView />,
  assets: <AssetsView />,
} as const;

/** Opens a page as a member with this role. */
function openAs(role: TeamRole, page: keyof typeof pages, url = '/') {
  const stream = exampleOf(getStream);
  service().on(getStream, stream);
  service().on(listStreams, pageOf([stream]));
  service().on(listViewers, []);
  service().onExamples(listAssets);
  return renderPage(<TeamProvider value={{ id: 'lake', name: 'Lake', role }}>{pages[page]}</TeamProvider>, {
    at: url,
  });
}

const isShown = (role: string, name: string) => screen.queryByRole(role, { name }) !== null;

const isReadOnly = (element: HTMLElement) => element.closest('fieldset')?.disabled ?? false;

test.each(['viewer', 'developer'] as const)(
  'opened as %s, the page of a stream has buttons to rename and preview it only for a developer',
  async (role) => {
    const isDeveloper = role === 'developer';
    openAs(role, 'stream');
    await screen.findByRole('heading', { name: /Town hall/ });
    expect(isShown('button', 'Rename stream')).toBe(isDeveloper);
    expect(isShown('button', 'Preview a test pattern')).toBe(isDeveloper);
  },
);

test.each(['viewer', 'developer'] as const)(
  'opened as %s, the settings of a stream can be edited only by a developer',
  async (role) => {
    const isDeveloper = role === 'developer';
    openAs(role, 'stream', `/streams/${streamId}?tab=settings`);
    const record = await screen.findByRole('switch', { name: 'Record' });
    expect(isReadOnly(record)).toBe(!isDeveloper);
    expect(isReadOnly(screen.getByRole('button', { name: 'Delete stream' }))).toBe(!isDeveloper);
    expect(screen.queryByText(/Your role in this team is Viewer/) !== null).toBe(!isDeveloper);
  },
);

test.each(['viewer', 'developer'] as const)(
  'opened as %s, a row of the stream list has a checkbox and “Delete stream” only for a developer',
  async (role) => {
    const { user } = openAs(role, 'streams', '/streams');
    const row = await screen.findByRole('row', { name: /Town hall/ });
    expect(within(row).queryAllByRole('checkbox')).toHaveLength(role === 'developer' ? 1 : 0);
    await user.click(within(row).getByRole('button', { name: 'Actions for Town hall' }));
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(items.includes('Delete stream')).toBe(role === 'developer');
    expect(items).toContain('Copy stream ID');
  },
);

test.each(['viewer', 'developer'] as const)(
  'opened as %s, the asset list has the button “Import URL” only for a developer',
  async (role) => {
    openAs(role, 'assets', '/assets');
    await screen.findAllByRole('row');
    expect(isShown('button', 'Import URL')).toBe(role === 'developer');
  },
);
