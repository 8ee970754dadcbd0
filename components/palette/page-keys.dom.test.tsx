import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AssetView } from '@/app/(dashboard)/assets/[id]/asset-view';
import { HomeView } from '@/app/(dashboard)/home-view';
import { KeyboardShortcuts } from '@/app/(dashboard)/shortcuts';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { dismissProblem, getOverview } from '@/lib/contract/accounts/overview';
import { getAsset, listAssets } from '@/lib/contract/assets/asset-endpoints';
import { registry } from '@/lib/contract/registry';
import ShortcutList from './shortcut-list';
import { usePageKeys } from './use-page-keys';

const service = setUpFakeService();
const [problem] = exampleOf(getOverview).attention;
if (!problem) throw new Error('The example has no problem');
const problems = ['Choir', 'Organ', 'Sermon'].map((name) => ({ ...problem, name }));

beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(listAssets, pageOf([]));
});

test('keys move the focus between the problems of the home page and dismiss the focused problem', async () => {
  service().on(getOverview, exampleOf(getOverview, { attention: problems }));
  // The response has no body.
  service().on(dismissProblem, null as never);
  const { user } = renderPage(<HomeView />);
  await screen.findByRole('link', { name: 'Choir' });
  const focusedText = () => document.activeElement?.textContent;
  await user.keyboard('j');
  expect(focusedText()).toBe('Choir');
  await user.keyboard('jj');
  expect(focusedText()).toBe('Sermon');
  await user.keyboard('j');
  expect(focusedText()).toBe('Sermon');
  await user.keyboard('k');
  expect(focusedText()).toBe('Organ');
  await user.keyboard('e');
  await expect.poll(() => service().callsOf(dismissProblem)).toHaveLength(1);
  expect(service().callsOf(dismissProblem)[0]?.body).toMatchObject({ name: 'Organ' });
  expect(focusedText()).toBe('Sermon');
});

test('c opens the clip editor of an asset', async () => {
  service().on(getAsset, exampleOf(getAsset));
  const { id } = exampleOf(getAsset);
  const { user } = renderPage(<AssetView id={id} />, { at: `/assets/${id}?tab=files` });
  await screen.findByRole('button', { name: 'Clip' });
  await user.keyboard('c');
  await screen.findByRole('region', { name: 'New clip' });
});

function PageWithKeys({ onKey }: { onKey: (key: string) => void }) {
  usePageKeys(onKey);
  return null;
}

test('the second key of a page change triggers no shortcut of the page', async () => {
  const onKey = vi.fn();
  const { user, visitedPaths } = renderPage(
    <>
      <PageWithKeys onKey={onKey} />
      <KeyboardShortcuts overlay={null} onOverlay={vi.fn()} onLogOut={vi.fn()} />
    </>,
  );
  await user.keyboard('e');
  await user.keyboard('ge');
  await user.keyboard('e');
  expect(visitedPaths).toEqual(['/sessions']);
  // Without the “e” of “ge”.
  expect(onKey.mock.calls.flat()).toEqual(['e', 'g', 'e']);
});

test.each([
  ['/', ['Needs attention', 'Everywhere', 'Pages']],
  ['/streams/a', ['Control panel of a live stream', 'Clips', 'Audience', 'Player', 'Everywhere', 'Pages']],
  ['/assets/a', ['Clips', 'Audience', 'Player', 'Everywhere', 'Pages']],
  ['/assets', ['Everywhere', 'Pages']],
  ['/audience', ['Audience', 'Everywhere', 'Pages']],
])('the list of shortcuts at %s has the sections %j', (path, titles) => {
  renderPage(<ShortcutList open onOpenChange={vi.fn()} />, { at: path });
  const list = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(
    within(list)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent),
  ).toEqual(titles);
});
