'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { DataProvider } from '@/app/data-provider';
import { Button } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/mark';
import { useHydrated } from '@/components/ui/use-hydrated';

/** Frame of a page that visitors may read, with a link to the sign-in page in place of the sidebar. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const path = usePathname();
  const isHydrated = useHydrated();
  return (
    <DataProvider>
      <header className="bg-surface flex h-14 items-center justify-between border-b px-4 sm:px-6">
        <Link href="/" className="flex items-center rounded-md">
          <Wordmark />
        </Link>
        <Button asChild size="sm">
          <Link href={`/login?next=${encodeURIComponent(path)}`}>Log in</Link>
        </Button>
      </header>
      <main
        id="main"
        // Input before hydration would be lost.
        inert={!isHydrated}
        aria-busy={!isHydrated}
        className="mx-auto max-w-[80rem] px-4 py-6 sm:px-6 lg:py-10"
      >
        {children}
      </main>
    </DataProvider>
  );
}
