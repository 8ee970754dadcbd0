'use client';

import { ChevronLeft, ChevronRight, LayoutGrid, Rows3, Search } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input, Select } from '@/components/ui/form/field';
import { type ListState, type ListView, pageSizes } from './list-state';
import { pageBefore, rememberPage } from './page-trail';

interface ListToolbarProps {
  /** Subject of the list, such as "streams". */
  subject: string;
  /** Placeholder of the search field; default: search by name. */
  hint?: string;
  search: string;
  onSearch: (search: string) => void;
  /** Filter chips and other filters. */
  children?: ReactNode;
}

/** Search and filters above a list. Every change of the text is reported; the page decides when it searches. */
export function ListToolbar({ subject, hint, search, onSearch, children }: ListToolbarProps) {
  const t = useTranslations('ui.list');
  const [text, setText] = useState(search);
  const [lastSearch, setLastSearch] = useState(search);
  // Navigation and the button that clears the filters change the search too: the field follows it.
  if (search !== lastSearch) {
    setLastSearch(search);
    if (search !== text.trim()) setText(search);
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="relative w-full sm:w-72">
        <Search aria-hidden="true" className="text-ink-3 absolute top-1/2 left-3 size-4 -translate-y-1/2" />
        <Input
          type="search"
          aria-label={t('searchWhat', { what: subject })}
          placeholder={hint ?? t('searchByName')}
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

const views = [
  { value: 'table', icon: Rows3 },
  { value: 'grid', icon: LayoutGrid },
] as const;

/** Toggle between a table and a grid of thumbnails. */
export function ViewToggle({ view, onChange }: { view: ListView; onChange: (view: ListView) => void }) {
  const t = useTranslations('ui.list');
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={t('view')}
      value={view}
      onValueChange={(next) => onChange(next === 'grid' ? 'grid' : 'table')}
      className="flex overflow-hidden rounded-md border sm:ml-auto"
    >
      {views.map(({ value, icon: Icon }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          aria-label={t(value)}
          title={t(value)}
          className="text-ink-3 hover:text-ink data-[state=on]:bg-accent-soft data-[state=on]:text-accent-ink bg-surface grid h-8 w-10 place-items-center transition-colors pointer-coarse:h-11 pointer-coarse:w-12"
        >
          <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

/** Text for screen readers only. */
const screenReaderText = (text: ReactNode) => <span className="sr-only">{text}</span>;

type PageChange = Partial<Pick<ListState<string>, 'cursor' | 'size'>>;

interface ListPagerProps {
  /** Formatted count: "3 streams". */
  formatCount: (count: number) => string;
  /** Current page. `total`: number of items on all pages; null = unknown. */
  page: { readonly total: number | null; readonly nextCursor: string | null };
  /** Cursor of the current page, or null for the first page; page size, or undefined if it is not selectable. */
  state: { readonly cursor: string | null; readonly size?: number };
  onChange: (change: PageChange) => void;
}

/**
 * Cursor pagination. A cursor only leads forward, so the tab stores the previous pages. On a page that was opened by a
 * link, "Previous" leads to the first page.
 */
export function ListPager({ formatCount, page, state: { cursor, size }, onChange }: ListPagerProps) {
  const t = useTranslations('ui.list');
  const hasSeveralPages = cursor !== null || page.nextCursor !== null;
  const goToNextPage = () => {
    if (page.nextCursor !== null) rememberPage(page.nextCursor, cursor);
    onChange({ cursor: page.nextCursor });
  };
  return (
    <nav aria-label={t('pages')} className="mt-4 flex min-h-8 items-center justify-between gap-4">
      <p className="text-ink-2 text-sm" aria-live="polite">
        {page.total !== null && formatCount(page.total)}
      </p>
      {(hasSeveralPages || (size !== undefined && size !== pageSizes[0])) && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {size !== undefined && (
            <Select
              aria-label={t('rowsPerPage')}
              value={size}
              onChange={(event) => onChange({ size: Number(event.target.value) })}
              className="h-8 w-auto text-sm max-sm:hidden"
            >
              {pageSizes.map((choice) => (
                <option key={choice} value={choice}>
                  {t('rows', { count: choice })}
                </option>
              ))}
            </Select>
          )}
          <Button
            size="sm"
            disabled={cursor === null}
            onClick={() => onChange({ cursor: cursor === null ? null : pageBefore(cursor) })}
          >
            <ChevronLeft aria-hidden="true" />
            {t.rich('previous', { hidden: screenReaderText })}
          </Button>
          <Button size="sm" disabled={page.nextCursor === null} onClick={goToNextPage}>
            {t.rich('next', { hidden: screenReaderText })}
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
      )}
    </nav>
  );
}
