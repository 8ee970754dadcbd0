'use client';

import { usePathname, useSearchParams } from 'next/navigation';

const PARAMETER = 'new';

/** State of a dialog that is open while the URL has `?new=1`: it can be linked to, and "back" closes it. */
export function useOpenByUrl(): [open: boolean, setOpen: (open: boolean) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const setOpen = (open: boolean) => {
    const newParams = new URLSearchParams(params);
    if (open) newParams.set(PARAMETER, '1');
    else newParams.delete(PARAMETER);
    const url = newParams.size > 0 ? `${path}?${newParams.toString()}` : path;
    if (open) window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
  };
  return [params.get(PARAMETER) === '1', setOpen];
}
