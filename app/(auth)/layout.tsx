import type { ReactNode } from 'react';
import { Confluence } from '@/components/auth/confluence';
import { Wordmark } from '@/components/ui/mark';
import { RememberTime } from '@/components/ui/time/time-settings';
import { DataProvider } from '@/app/data-provider';

/** Every page below depends on the user, so none is rendered at build time. */
export const dynamic = 'force-dynamic';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <RememberTime />
      <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,2fr)_3fr]">
        <main className="bg-surface flex flex-col px-4 py-6 sm:px-12 lg:border-r">
          <Wordmark />
          <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">{children}</div>
        </main>
        <aside className="hidden flex-col justify-center gap-10 px-16 lg:flex">
          <Confluence />
          <p className="text-ink-2 max-w-md text-lg text-balance">
            Send video from OBS, ffmpeg or any RTMP encoder. It plays in every browser seconds later, from
            your own server.
          </p>
        </aside>
      </div>
    </DataProvider>
  );
}
