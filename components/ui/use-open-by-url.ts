'use client';

import { usePathname, useSearchParams } from 'next/navigation';

const NAME = 'new';

/** State of a dialog that is open while the URL has `?new=1`: it can be linked to, and "back" closes it. */
export function useOpenByUrl(): [open: boolean, setOpen: (open: boolean) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const setOpen = (open: boolean) => {
    const next = new URLSearchParams(params);
    if (open) next.set(NAME, '1');
    else next.delete(NAME);
    const url = next.size > 0 ? `${path}?${next.toString()}` : path;
    if (open) window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
  };
  return [params.get(NAME) === '1', setOpen];
}
