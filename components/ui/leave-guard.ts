'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';

/** Number of components that ask before the page is left, for example because a stream is live. */
let activeGuardCount = 0;

/**
 * While active, the browser asks before the page is left. Links within the dashboard load a new document, because
 * browsers do not ask before a change of the URL by a script.
 */
export function useAskBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    activeGuardCount += 1;
    const showPrompt = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', showPrompt);
    // The capture phase runs before the click handler of the router.
    window.addEventListener('click', loadDocument, { capture: true });
    return () => {
      activeGuardCount -= 1;
      window.removeEventListener('beforeunload', showPrompt);
      window.removeEventListener('click', loadDocument, { capture: true });
    };
  }, [active]);
}

/** Function that opens a page of the dashboard. The browser asks first if a component requires it. */
export function useNavigate(): (href: string) => void {
  const router = useRouter();
  return useCallback(
    (href) => {
      if (activeGuardCount > 0) window.location.assign(href);
      else router.push(href);
    },
    [router],
  );
}

/** Handles a click on a link within the dashboard: loads a new document instead of using the router. */
function loadDocument(event: MouseEvent): void {
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
