'use client';

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import Link from 'next/link';
import { cn } from '@/components/ui/class-names';

interface TableProps {
  label: string;
  head: ReactNode;
  /** Whether rows have two lines on a phone instead of being cards. */
  compact?: boolean;
  children: ReactNode;
}

/**
 * A <table>. On a phone (below 640 px), each row becomes a card whose cells show their column name (`label`); a row of a compact
 * table becomes two lines instead. Columns of a compact table can depend on its width, with container queries. Roles are
 * explicit, because a changed `display` removes the roles of the elements.
 */
export function Table({ label, head, compact = false, children }: TableProps) {
  return (
    <div
      className={cn(
        'bg-surface overflow-hidden rounded-lg border',
        compact ? '@container' : 'max-sm:border-0 max-sm:bg-transparent',
      )}
    >
      <table role="table" aria-label={label} className="w-full border-collapse max-sm:block">
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row" className="bg-sunken border-b dark:bg-transparent">
            {head}
          </tr>
        </thead>
        <tbody role="rowgroup" className={compact ? 'max-sm:block' : 'max-sm:grid max-sm:gap-3'}>
          {children}
        </tbody>
      </table>
    </div>
  );
}

type SortDirection = 'ascending' | 'descending';

interface ColumnProps {
  children: ReactNode;
  /** Present if the column sorts; null = the list is sorted by another column. */
  sort?: SortDirection | null;
  onSort?: () => void;
  className?: string;
}

export function Column({ children, sort, onSort, className }: ColumnProps) {
  const Icon = sort === 'ascending' ? ArrowUp : sort === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <th
      role="columnheader"
      scope="col"
      {...(onSort ? { 'aria-sort': sort ?? 'none' } : {})}
      className={cn('text-ink-2 h-10 px-4 text-left text-xs font-medium', className)}
    >
      {onSort ? (
        <button type="button" onClick={onSort} className="hover:text-ink inline-flex items-center gap-1.5">
          {children}
          <Icon aria-hidden="true" className={cn('size-3.5', sort ? 'text-ink' : 'text-ink-3')} />
        </button>
      ) : (
        children
      )}
    </th>
  );
}

interface RowProps {
  children: ReactNode;
  selected?: boolean;
  /** Whether rows have two lines on a phone instead of being cards. */
  compact?: boolean;
}

const cardClasses =
  'max-sm:bg-surface max-sm:data-selected:border-accent-line max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:gap-x-4 max-sm:rounded-lg max-sm:border max-sm:p-4 max-sm:last:border-b';
// The pseudo-element after the name and the menu ends the first line.
const twoLineClasses =
  'max-sm:bg-surface max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:px-3 max-sm:py-1 max-sm:after:order-3 max-sm:after:basis-full';

export function Row({ children, selected = false, compact = false }: RowProps) {
  return (
    <tr
      role="row"
      data-selected={selected || undefined}
      className={cn(
        'data-selected:bg-accent-soft/50 hover:bg-hover/50 relative border-b transition-colors last:border-b-0',
        compact ? twoLineClasses : cardClasses,
      )}
    >
      {children}
    </tr>
  );
}

interface CellProps {
  /** Column name beside the value on a card; absent = the cell is the card's heading. */
  label?: string;
  children: ReactNode;
  className?: string;
}

export function Cell({ label, children, className }: CellProps) {
  return (
    <td
      role="cell"
      {...(label ? { 'data-label': label } : {})}
      className={cn(
        'h-14 px-4 max-sm:col-span-2 max-sm:h-auto max-sm:min-h-8 max-sm:px-0 max-sm:py-0.5',
        label &&
          'max-sm:before:text-ink-3 max-sm:grid max-sm:grid-cols-subgrid max-sm:items-center max-sm:justify-items-start max-sm:before:text-sm max-sm:before:content-[attr(data-label)]',
        className,
      )}
    >
      {children}
    </td>
  );
}

/**
 * The name of a row's object as a link to its page. The page is prefetched when the pointer or the focus reaches the link,
 * because prefetching a hundred pages would slow down scrolling.
 */
export function RowLink({
  href,
  className,
  children,
}: {
  href: string;
  className?: string;
  children: string;
}) {
  const [wasReached, setWasReached] = useState(false);
  return (
    <Link
      href={href}
      // null = the default of Next.js, which prefetches.
      prefetch={wasReached ? null : false}
      onPointerEnter={() => setWasReached(true)}
      onFocus={() => setWasReached(true)}
      className={cn(
        'hover:text-accent-ink font-medium wrap-anywhere underline-offset-4 hover:underline',
        className,
      )}
    >
      {children}
    </Link>
  );
}
