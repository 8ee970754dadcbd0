import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button';
import { pageSizes, type ListState } from './list-state';
import { counted } from './quantities';
import { Select } from './select';

type Turn = Partial<Pick<ListState<string>, 'cursor' | 'size'>>;

interface ListPagerProps {
  /** Of what the list is: "stream". */
  what: string;
  /** Where it is not simply one with an s. */
  whats?: string;
  /** The page shown. `total`: of all pages; null = not known. */
  page: { readonly total: number | null; readonly nextCursor: string | null };
  /** `size` left out = not to be chosen. */
  state: { readonly cursor: string | null; readonly size?: number };
  onChange: (turn: Turn) => void;
}

/** Pages by cursor: on to the next one, back to the first; the browser's own "back" goes one back. */
export function ListPager({ what, whats, page, state: { cursor, size }, onChange }: ListPagerProps) {
  const many = cursor !== null || page.nextCursor !== null;
  return (
    <nav aria-label="Pages" className="mt-4 flex min-h-8 items-center justify-between gap-4">
      <p className="text-ink-2 text-sm" aria-live="polite">
        {page.total !== null && counted(page.total, what, whats)}
      </p>
      {(many || (size !== undefined && size !== pageSizes[0])) && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {size !== undefined && (
            <Select
              aria-label="Rows per page"
              value={size}
              onChange={(event) => onChange({ size: Number(event.target.value) })}
              className="h-8 w-auto text-sm max-sm:hidden"
            >
              {pageSizes.map((each) => (
                <option key={each} value={each}>
                  {each} rows
                </option>
              ))}
            </Select>
          )}
          <Button size="sm" disabled={cursor === null} onClick={() => onChange({ cursor: null })}>
            <ChevronLeft aria-hidden="true" />
            First page
          </Button>
          <Button
            size="sm"
            disabled={page.nextCursor === null}
            onClick={() => onChange({ cursor: page.nextCursor })}
          >
            Next page
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
      )}
    </nav>
  );
}
