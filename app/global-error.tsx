'use client';

import './globals.css';
import { PlainButton } from '@/components/ui/plain-action';

/** Shown when the root layout fails. Every page loads it, so it is small. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Headwater</title>
        <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-2 px-4">
          <h1 className="text-2xl font-semibold tracking-tight">Something went wrong</h1>
          <p className="text-ink-2 mb-3">Your data on the server is safe. Trying again often helps.</p>
          <PlainButton onClick={() => retry()}>Try again</PlainButton>
        </main>
      </body>
    </html>
  );
}
