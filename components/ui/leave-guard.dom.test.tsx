import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { useAskBeforeLeaving, useGoTo } from './leave-guard';

afterEach(() => vi.restoreAllMocks());

function Page() {
  const [active, setActive] = useState(false);
  const goTo = useGoTo();
  useAskBeforeLeaving(active);
  return (
    <>
      <button type="button" onClick={() => setActive(!active)}>
        Guard
      </button>
      <button type="button" onClick={() => goTo('/streams')}>
        Shortcut
      </button>
      <a href={`${window.location.origin}/elsewhere`}>Elsewhere</a>
      <a href="#part">Part</a>
      <a href="/watch/x" target="_blank" rel="noreferrer" onClick={(event) => event.preventDefault()}>
        Watch
      </a>
    </>
  );
}

test('links and shortcuts load the page as a whole while it asks, and go through the router otherwise', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { user, visitedPaths } = renderPage(<Page />);
  const press = (name: string) => user.click(screen.getByText(name));
  await press('Shortcut');
  expect([visitedPaths, assign.mock.calls.length, asks()]).toEqual([['/streams'], 0, false]);

  await press('Guard');
  await press('Shortcut');
  await press('Elsewhere');
  await press('Part');
  await press('Watch');
  const paths = assign.mock.calls.map(([url]) => new URL(String(url), 'http://x').pathname);
  expect([visitedPaths, paths, asks()]).toEqual([['/streams'], ['/streams', '/elsewhere'], true]);

  await press('Guard');
  await press('Shortcut');
  expect([visitedPaths.length, assign.mock.calls.length, asks()]).toEqual([2, 2, false]);
});
