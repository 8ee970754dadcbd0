import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button';
import { pageSizes } from './list-state';
import { Select } from './select';

interface ListPagerProps {
  /** "12 streams" */
  summary: string;
  onFirst: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** Rows on a page; left out = not to be chosen. */
  size?: number;
  onSize?: (size: number) => void;
}

/** Pages by cursor: on to the next one, back to the first; the browser's own "back" goes one back. */
export function ListPager({ summary, onFirst, onNext, size, onSize }: ListPagerProps) {
  const more = onFirst ?? onNext;
  return (
    <nav aria-label="Pages" className="mt-4 flex min-h-8 items-center justify-between gap-4">
      <p className="text-ink-2 text-sm" aria-live="polite">
        {summary}
      </p>
      {(more ?? (size !== undefined && size !== pageSizes[0])) && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {size !== undefined && (
            <Select
              aria-label="Rows on a page"
              value={size}
              onChange={(event) => onSize?.(Number(event.target.value))}
              className="h-8 w-auto text-sm max-sm:hidden"
            >
              {pageSizes.map((each) => (
                <option key={each} value={each}>
                  {each} rows
                </option>
              ))}
            </Select>
          )}
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
