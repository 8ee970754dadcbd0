import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { useAskBeforeLeaving, useNavigate } from './leave-guard';

afterEach(() => vi.restoreAllMocks());

/** A page with a button that turns the guard on and off, and with several kinds of links. */
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

test('while the page asks before leaving, links to other pages load a new document instead of using the router', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { user, visitedPaths } = renderPage(<Page />);
  const press = (name: string) => user.click(screen.getByText(name));
  const loadedPaths = () =>
    assign.mock.calls.map(([url]) => new URL(String(url), 'http://localhost').pathname);
  await press('Shortcut');
  expect(visitedPaths).toEqual(['/streams']);
  expect(loadedPaths()).toEqual([]);
  expect(asksBeforeLeaving()).toBe(false);

  await press('Guard');
  await press('Shortcut');
  await press('Elsewhere');
  // Neither a link within the page nor one to a new tab leaves the page.
  await press('Part');
  await press('Watch');
  expect(visitedPaths).toEqual(['/streams']);
  expect(loadedPaths()).toEqual(['/streams', '/elsewhere']);
  expect(asksBeforeLeaving()).toBe(true);

  await press('Guard');
  await press('Shortcut');
  expect(visitedPaths).toHaveLength(2);
  expect(loadedPaths()).toHaveLength(2);
  expect(asksBeforeLeaving()).toBe(false);
});
