import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '@/components/ui/button';

interface ListPagerProps {
  /** "12 streams" */
  summary: string;
  onFirst: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** Pages by cursor: on to the next one, back to the first; the browser's own "back" goes one back. */
export function ListPager({ summary, onFirst, onNext }: ListPagerProps) {
  return (
    <nav aria-label="Pages" className="mt-4 flex min-h-8 items-center justify-between gap-4">
      <p className="text-ink-2 text-sm" aria-live="polite">
        {summary}
      </p>
      {(onFirst ?? onNext) && (
        <div className="flex gap-2">
          <Button size="sm" disabled={!onFirst} onClick={onFirst}>
            <ChevronLeft aria-hidden="true" />
            First page
          </Button>
          <Button size="sm" disabled={!onNext} onClick={onNext}>
            Next page
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
      )}
    </nav>
  );
}
