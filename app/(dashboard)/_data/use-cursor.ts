'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/** The page of a list, kept in the address bar: "back" goes one page back. */
export function useCursor(): { cursor: string | null; setCursor: (cursor: string | null) => void } {
  const path = usePathname();
  const params = useSearchParams();
  const setCursor = (cursor: string | null) => {
    const next = new URLSearchParams(params);
    if (cursor === null) next.delete('cursor');
    else next.set('cursor', cursor);
    window.history.pushState(null, '', next.size > 0 ? `${path}?${next.toString()}` : path);
  };
  return { cursor: params.get('cursor'), setCursor };
}
