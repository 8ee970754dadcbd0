import { ArrowLeft, ArrowRight } from 'lucide-react';
import Link from 'next/link';
import type { Entry } from './model/reference';

/** Links to the previous and next entry of the list. */
export function PreviousNextLinks({ entries, id }: { entries: readonly Entry[]; id: string }) {
  const index = entries.findIndex((entry) => entry.id === id);
  const [previousEntry, nextEntry] = [entries[index - 1], entries[index + 1]];
  const style =
    'hover:bg-hover text-ink-2 hover:text-ink inline-flex min-h-11 min-w-0 items-center gap-2 rounded-md border px-4 py-2';
  return (
    <nav aria-label="Previous and next" className="mt-12 flex flex-wrap justify-between gap-3">
      {previousEntry && (
        <Link href={`/docs/${previousEntry.id}`} rel="prev" className={style}>
          <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
          <span className="wrap-anywhere">{previousEntry.title}</span>
        </Link>
      )}
      {nextEntry && (
        <Link href={`/docs/${nextEntry.id}`} rel="next" className={`${style} ml-auto`}>
          <span className="wrap-anywhere">{nextEntry.title}</span>
          <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
        </Link>
      )}
    </nav>
  );
}
