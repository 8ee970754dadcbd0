import { ArrowLeft, ArrowRight } from 'lucide-react';
import Link from 'next/link';
import type { Entry } from './model/reference';

/** Links to the previous and next entry of the list. */
export function Neighbours({ entries, id }: { entries: readonly Entry[]; id: string }) {
  const index = entries.findIndex((entry) => entry.id === id);
  const [before, after] = [entries[index - 1], entries[index + 1]];
  const style =
    'hover:bg-hover text-ink-2 hover:text-ink inline-flex min-h-11 min-w-0 items-center gap-2 rounded-md border px-4 py-2';
  return (
    <nav aria-label="Previous and next" className="mt-12 flex flex-wrap justify-between gap-3">
      {before && (
        <Link href={`/docs/${before.id}`} rel="prev" className={style}>
          <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
          <span className="wrap-anywhere">{before.title}</span>
        </Link>
      )}
      {after && (
        <Link href={`/docs/${after.id}`} rel="next" className={`${style} ml-auto`}>
          <span className="wrap-anywhere">{after.title}</span>
          <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
        </Link>
      )}
    </nav>
  );
}
