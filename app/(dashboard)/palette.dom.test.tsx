import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import CommandPalette from '@/app/(dashboard)/palette';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listTeams } from '@/lib/contract/accounts/team';
import { listAssets } from '@/lib/contract/assets/asset-endpoints';
import { listIngests } from '@/lib/contract/service';
import { getStream, listStreams } from '@/lib/contract/streams/stream-endpoints';

const service = setUpFakeService();
const { id, name, playbackId } = exampleOf(getStream);

beforeEach(() => {
  service().onExamples(listIngests, listTeams);
  service().on(listStreams, pageOf([exampleItemOf(listStreams, { id, name, playbackId })]));
  service().on(listAssets, pageOf([]));
});

function openPalette() {
  const close = vi.fn();
  return {
    close,
    ...renderPage(<CommandPalette open onOpenChange={close} onLogOut={vi.fn()} onShortcuts={vi.fn()} />),
  };
}
const findOption = (label: string | RegExp) => screen.findByRole('option', { name: label });

test('“Go live” opens the first stream of the list', async () => {
  const { user, visitedPaths } = openPalette();
  await user.click(await findOption(`Go live: ${name}`));
  expect(visitedPaths).toEqual([`/streams/${id}`]);
});

test('“Go live” opens the form for a new stream if there is no stream', async () => {
  service().on(listStreams, pageOf([]));
  const { user, visitedPaths } = openPalette();
  await user.click(await findOption('Go live'));
  expect(visitedPaths).toEqual(['/streams?new=1']);
});

test('“Create API key” opens the form for a new key', async () => {
  const { user, visitedPaths } = openPalette();
  await user.click(await findOption('Create API key'));
  expect(visitedPaths).toEqual(['/developers/keys?new=1']);
});

test('the playback URL of a stream is copied, and the palette closes', async () => {
  const { user, close } = openPalette();
  await findOption(`Copy playback URL: ${name}`);
  await user.type(screen.getByRole('combobox'), 'copy play');
  await user.click(await findOption(`Copy playback URL: ${name}`));
  expect(close).toHaveBeenCalledWith(false);
  await screen.findByText('Playback URL copied');
  expect(await navigator.clipboard.readText()).toContain(`/${playbackId}/index.m3u8`);
});

test('a search lists another team of the person by its name', async () => {
  const { name: team } = exampleItemOf(listTeams);
  const { user } = openPalette();
  await user.type(screen.getByRole('combobox'), 'switch team');
  await findOption(`Switch team: ${team}`);
});
