'use client';

import { ChevronLeft, ChevronRight, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input, Select } from '@/components/ui/form/field';
import { counted } from '@/components/ui/time-words';
import { type ListState, pageSizes } from './list-state';

interface ListToolbarProps {
  /** Of what the list is: "streams". */
  what: string;
  search: string;
  onSearch: (search: string) => void;
  /** Chips and other filters. */
  children?: ReactNode;
}

/** Search and filters above a list. The list follows each key stroke; the page decides how fast. */
export function ListToolbar({ what, search, onSearch, children }: ListToolbarProps) {
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  // "Back" and "clear" change the search from outside.
  if (search !== shown) {
    setShown(search);
    if (search !== text.trim()) setText(search);
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="relative w-full sm:w-72">
        <Search aria-hidden="true" className="text-ink-3 absolute top-1/2 left-3 size-4 -translate-y-1/2" />
        <Input
          type="search"
          aria-label={`Search ${what} by name`}
          placeholder="Search by name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onSearch(event.target.value.trim());
          }}
          className="pl-9"
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-3 max-sm:w-full [&>*]:min-w-0">
        {children}
      </div>
    </div>
  );
}

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
