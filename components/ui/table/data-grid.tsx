'use client';

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { Checkbox } from '@/components/ui/form/toggle';
import { Skeleton } from '@/components/ui/skeleton';
import { WideThumbnail } from '@/components/ui/thumbnail';
import type { DataSelection } from './data-table';
import { RowLink } from './table';

interface DataGridProps<T> {
  label: string;
  /** Undefined while loading. */
  rows: readonly T[] | undefined;
  nameOf: (row: T) => string;
  hrefOf: (row: T) => string;
  /** URL of the thumbnail; undefined while there is none. */
  thumbnailUrlOf: (row: T) => string | undefined;
  /** URL of an animated preview, shown on hover. */
  previewUrlOf?: (row: T) => string | undefined;
  /** Shown without a thumbnail. */
  icon: LucideIcon;
  /** State, shown on the thumbnail. */
  status: (row: T) => ReactNode;
  /** One line below the name. */
  facts: (row: T) => ReactNode;
  /** Undefined if rows cannot be selected. */
  selection: DataSelection | undefined;
  menu: (row: T) => ReactNode;
}

const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-6';
const PLACEHOLDER_CARDS = 6;

/** The rows of a list as a grid of thumbnails. */
export function DataGrid<T extends { readonly id: string }>(props: DataGridProps<T>) {
  const t = useTranslations('ui.list');
  const { label, rows, nameOf, hrefOf, thumbnailUrlOf, previewUrlOf, icon, status, facts, selection, menu } =
    props;
  if (!rows) {
    return (
      <div className={gridClasses} aria-busy="true" aria-label={t('loading')}>
        {Array.from({ length: PLACEHOLDER_CARDS }, (_, index) => (
          <div key={index} className="grid gap-2">
            <Skeleton className="aspect-video w-full" />
            <Skeleton className="h-4 w-40" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label={label} className={gridClasses}>
      {rows.map((row) => {
        const isSelected = selection?.ids.has(row.id) ?? false;
        return (
          <li key={row.id} data-selected={isSelected || undefined} className="group/card relative min-w-0">
            <div
              className={cn(
                'relative overflow-hidden rounded-md border',
                isSelected && 'border-accent-line ring-accent ring-2',
              )}
            >
              <WideThumbnail src={thumbnailUrlOf(row)} animatedSrc={previewUrlOf?.(row)} icon={icon} />
              <span className="absolute bottom-2 left-2">{status(row)}</span>
              {selection && (
                <span className="bg-surface/85 absolute top-2 left-2 rounded-sm p-1">
                  <Checkbox
                    label={t('select', { name: nameOf(row) })}
                    checked={isSelected}
                    onToggle={(isRange) => selection.onToggle(row.id, isRange)}
                  />
                </span>
              )}
            </div>
            <div className="mt-2 flex min-w-0 items-start justify-between gap-2">
              <div className="min-w-0">
                <RowLink href={hrefOf(row)} className="line-clamp-1">
                  {nameOf(row)}
                </RowLink>
                <p className="text-ink-2 truncate text-sm tabular-nums">{facts(row)}</p>
              </div>
              <span className="-mt-1 -mr-2 shrink-0">{menu(row)}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
