'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';

/** Pages that would lose something, such as a stream that is live. */
let guards = 0;

/**
 * While active, the browser asks before the page is left. Links within the dashboard load their page as a whole, because
 * browsers ask for nothing less.
 */
export function useAskBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    guards += 1;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    // Before the router sees the click.
    window.addEventListener('click', loadWhole, { capture: true });
    return () => {
      guards -= 1;
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('click', loadWhole, { capture: true });
    };
  }, [active]);
}

/** Opens a page of the dashboard, after a question if the current page asks for one. */
export function useGoTo(): (href: string) => void {
  const router = useRouter();
  return useCallback(
    (href) => {
      if (guards > 0) window.location.assign(href);
      else router.push(href);
    },
    [router],
  );
}

function loadWhole(event: MouseEvent): void {
  const { button, metaKey, ctrlKey, shiftKey, altKey, target } = event;
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== window.location.origin) return;
  if ((link.target !== '' && link.target !== '_self') || link.hasAttribute('download')) return;
  const { pathname, search } = window.location;
  if (link.pathname === pathname && link.search === search) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  window.location.assign(link.href);
}
