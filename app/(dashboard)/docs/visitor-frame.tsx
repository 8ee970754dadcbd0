import Link from 'next/link';
import type { ReactNode } from 'react';
import { DataProvider } from '@/app/data-provider';
import { Button } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/mark';

/** Around a page that also visitors may read: the way to the log-in in the place of the sidebar. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <header className="bg-surface flex h-14 items-center justify-between border-b px-4 sm:px-6">
        <Link href="/" className="flex items-center rounded-md">
          <Wordmark />
        </Link>
        <Button asChild size="sm">
          <Link href="/login?next=%2Fdocs">Log in</Link>
        </Button>
      </header>
      <main id="main" className="mx-auto max-w-6xl px-4 py-6 sm:px-6 lg:py-10">
        {children}
      </main>
    </DataProvider>
  );
}
