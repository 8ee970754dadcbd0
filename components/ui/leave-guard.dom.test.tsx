import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { useAskBeforeLeaving, useNavigate } from './leave-guard';

afterEach(() => vi.restoreAllMocks());

function Page() {
  const [active, setActive] = useState(false);
  const goTo = useNavigate();
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

test('links and shortcuts load a new document while the page asks before leaving, and use the router otherwise', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { user, visitedPaths } = renderPage(<Page />);
  const press = (name: string) => user.click(screen.getByText(name));
  await press('Shortcut');
  expect([visitedPaths, assign.mock.calls.length, asksBeforeLeaving()]).toEqual([['/streams'], 0, false]);

  await press('Guard');
  await press('Shortcut');
  await press('Elsewhere');
  await press('Part');
  await press('Watch');
  const paths = assign.mock.calls.map(([url]) => new URL(String(url), 'http://x').pathname);
  expect([visitedPaths, paths, asksBeforeLeaving()]).toEqual([
    ['/streams'],
    ['/streams', '/elsewhere'],
    true,
  ]);

  await press('Guard');
  await press('Shortcut');
  expect([visitedPaths.length, assign.mock.calls.length, asksBeforeLeaving()]).toEqual([2, 2, false]);
});
