'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';

/** Shows the notifications of `toast()` from sonner. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      // `--dock-room` is the height of other elements in this corner, which must stay visible.
      offset={{ bottom: 'calc(var(--dock-room, 0px) + 24px)' }}
      mobileOffset={{ bottom: 'calc(var(--dock-room, 0px) + 16px)' }}
      toastOptions={{
        classNames: {
          toast:
            '!bg-raised !text-ink !border-line !shadow-pop !rounded-lg !font-sans !text-base [overflow-wrap:anywhere]',
          description: '!text-ink-2',
        },
      }}
    />
  );
}
