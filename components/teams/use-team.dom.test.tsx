import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AssetsView } from '@/app/(dashboard)/assets/assets-view';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import { StreamsView } from '@/app/(dashboard)/streams/streams-view';
import { exampleOf, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { id, streamPageService } from '@/components/testing/stream-page';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { getStream, listStreams } from '@/lib/contract/streams/stream-endpoints';
import { listViewers } from '@/lib/contract/streams/viewers';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { TeamProvider } from './use-team';

const { service } = streamPageService();

const pages = { stream: <StreamView id={id} />, streams: <StreamsView />, assets: <AssetsView /> } as const;

/** Opens a page as a member with this role. */
function openAs(role: TeamRole, page: keyof typeof pages, at = '/') {
  const stream = exampleOf(getStream);
  service().on(getStream, stream);
  service().on(listStreams, pageOf([stream]));
  service().on(listViewers, []);
  service().onExamples(listAssets);
  return renderPage(<TeamProvider value={{ id: 'lake', name: 'Lake', role }}>{pages[page]}</TeamProvider>, {
    at,
  });
}

const tokenRows = (role: string, name: string) => screen.queryByRole(role, { name }) !== null;

const isReadOnly = (field: HTMLElement) => field.closest('fieldset')?.disabled ?? false;

test.each(['viewer', 'developer'] as const)('a %s has the buttons of the role', async (role) => {
  const may = role === 'developer';
  openAs(role, 'stream');
  await screen.findByRole('heading', { name: /Town hall/ });
  expect([tokenRows('button', 'Rename stream'), tokenRows('button', 'Send test pattern')]).toEqual([
    may,
    may,
  ]);
});

test.each(['viewer', 'developer'] as const)('a %s sees the settings of a stream', async (role) => {
  const may = role === 'developer';
  openAs(role, 'stream', `/streams/${id}?tab=settings`);
  const record = await screen.findByRole('switch', { name: 'Record' });
  expect(isReadOnly(record)).toBe(!may);
  expect(isReadOnly(screen.getByRole('button', { name: 'Delete stream' }))).toBe(!may);
  expect(screen.queryByText(/Your role in this team is Viewer/) !== null).toBe(!may);
});

test.each(['viewer', 'developer'] as const)('a %s has the row menu of the role', async (role) => {
  const { user } = openAs(role, 'streams', '/streams');
  const row = await screen.findByRole('row', { name: /Town hall/ });
  expect(within(row).queryAllByRole('checkbox')).toHaveLength(role === 'developer' ? 1 : 0);
  await user.click(within(row).getByRole('button', { name: 'Actions for Town hall' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.includes('Delete stream')).toBe(role === 'developer');
  expect(items).toContain('Copy stream ID');
});

test.each(['viewer', 'developer'] as const)('a %s of assets', async (role) => {
  openAs(role, 'assets', '/assets');
  await screen.findAllByRole('row');
  expect(tokenRows('button', 'Import URL')).toBe(role === 'developer');
});
