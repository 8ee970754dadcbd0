'use client';

import type { ComponentProps, ReactNode } from 'react';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { ListPager } from './list-controls';
import { isEmptyList } from './list-state';

type Pager = ComponentProps<typeof ListPager>;

interface ListContentProps extends Pick<Pager, 'formatCount' | 'state' | 'onChange'> {
  query: {
    readonly data: (Pager['page'] & { readonly items: readonly unknown[] }) | undefined;
    readonly error: Error | null;
    refetch(): unknown;
  };
  /** Subject of the message if the list cannot be loaded, such as "The streams". */
  itemsLabel: string;
  /** Shown in place of the rows if there are none. */
  empty: ReactNode;
  /** The rows, or their placeholders while the list loads. */
  children: ReactNode;
}

/** Rows of a list with its pages, or why there are none. */
export function ListContent({ query, itemsLabel, empty, children, ...pager }: ListContentProps) {
  const page = query.data;
  if (!page && query.error)
    return <LoadErrorMessage subject={itemsLabel} error={query.error} onRetry={() => void query.refetch()} />;
  if (isEmptyList(page, pager.state)) return empty;
  return (
    <>
      {children}
      {page && <ListPager page={page} {...pager} />}
    </>
  );
}
