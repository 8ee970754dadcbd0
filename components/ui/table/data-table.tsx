'use client';

import { omitUndefined } from '@/lib/core/omit-undefined';
import { memo, startTransition, useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Checkbox } from '@/components/ui/form/toggle';
import { cn } from '@/components/ui/class-names';
import { growRows } from './grow-rows';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from './table';
import { useLatestCall } from '@/components/ui/use-latest-call';

/** One column of a list: heading, cells and skeleton. */
export interface DataColumn<T, S extends string = never> {
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
  /** Placeholder while loading: an element, or the classes of a skeleton such as "h-4 w-20". */
  readonly skeleton: ReactNode;
  /** Field by which the column sorts. */
  readonly sort?: S;
  /** Class for the width: "w-28". */
  readonly width?: string;
  /** Classes of the cells. */
  readonly className?: string;
  /** Whether phones show the column, in the second line of a row. The first column is always shown. */
  readonly phone?: true;
}

/** Current order of a list, and a function that changes it. */
export interface DataSorting<S extends string> {
  readonly sort: S;
  readonly descending: boolean;
  readonly onSort: (field: S) => void;
}

/** Selected rows of a list, and functions that change the selection. */
export interface DataSelection {
  readonly ids: Pick<ReadonlySet<string>, 'has'>;
  /** @param isRange whether to toggle all rows from the row that was toggled before */
  readonly onToggle: (id: string, isRange: boolean) => void;
  readonly onToggleAll: () => void;
}

interface DataTableProps<T, S extends string> {
  label: string;
  columns: readonly DataColumn<T, S>[];
  /** Undefined while loading. */
  rows: readonly T[] | undefined;
  /** Accessible name of a row's checkbox. */
  nameOf: (row: T) => string;
  sorting?: DataSorting<S>;
  selection?: DataSelection | undefined;
  /** Menu button with the actions for a row. */
  menu?: ((row: T) => ReactNode) | undefined;
  placeholderRows?: number;
}

/**
 * A list of objects with a header, and skeleton rows while loading. Many rows are rendered a few at a time, so that
 * they do not block input.
 */
export function DataTable<T extends { readonly id: string }, S extends string = never>(
  props: DataTableProps<T, S>,
) {
  const deferredProps = useDeferredValue(props);
  const onToggle = useLatestCall(props.selection?.onToggle);
  return (
    <Table label={props.label} head={<Head {...props} />} compact>
      <Body deferredProps={deferredProps} onToggle={onToggle} />
    </Table>
  );
}

type Toggle = DataSelection['onToggle'];

interface BodyProps<T, S extends string> {
  deferredProps: DataTableProps<T, S>;
  onToggle: Toggle;
}

/** The rows, re-rendered only if their props change. The type of `memo` has no type parameters, so it is cast. */
const Body = memo(Rows) as typeof Rows;

const noRows: readonly never[] = [];

function Rows<T extends { readonly id: string }, S extends string>({
  deferredProps,
  onToggle,
}: BodyProps<T, S>): ReactNode {
  const { columns, selection, menu, nameOf, placeholderRows = 6 } = deferredProps;
  const rows = useGrowingRows(deferredProps.rows ?? noRows);
  if (!deferredProps.rows) {
    return Array.from({ length: placeholderRows }, (_, index) => (
      <Cells
        key={index}
        columns={columns}
        checkbox={selection && <Skeleton className="size-4" />}
        cell={({ skeleton }) => (typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton)}
        menu={menu && <Skeleton className="size-8 max-sm:size-11" />}
      />
    ));
  }
  return rows.map((row) => (
    <DataRow
      key={row.id}
      row={row}
      name={nameOf(row)}
      columns={columns}
      selected={selection?.ids.has(row.id)}
      onToggle={onToggle}
      menu={menu}
    />
  ));
}

/** The rows to render now; after each rendering a few more are added when the browser is idle. */
function useGrowingRows<T extends { readonly id: string }>(rows: readonly T[]): readonly T[] {
  const [visibleIds, setVisibleIds] = useState<ReadonlySet<string>>(() => new Set());
  const visibleRows = growRows(rows, visibleIds);
  useEffect(() => {
    if (visibleRows.length === visibleIds.size && visibleRows.every(({ id }) => visibleIds.has(id))) return;
    startTransition(() => setVisibleIds(new Set(visibleRows.map(({ id }) => id))));
  }, [visibleRows, visibleIds]);
  return visibleRows;
}

interface DataRowProps<T, S extends string> {
  row: T;
  name: string;
  columns: readonly DataColumn<T, S>[];
  /** Undefined if rows cannot be selected. */
  selected: boolean | undefined;
  onToggle: Toggle;
  menu: ((row: T) => ReactNode) | undefined;
}

/** One row, re-rendered only if it changes; cast like `Body`. */
const DataRow = memo(function DataRow<T extends { readonly id: string }, S extends string>({
  row,
  name,
  columns,
  selected,
  onToggle,
  menu,
}: DataRowProps<T, S>) {
  const t = useTranslations('ui.list');
  return (
    <Cells
      columns={columns}
      selected={selected ?? false}
      checkbox={
        selected === undefined ? undefined : (
          <Checkbox
            label={t('select', { name })}
            checked={selected}
            onToggle={(isRange) => onToggle(row.id, isRange)}
          />
        )
      }
      cell={({ cell }) => cell(row)}
      menu={menu?.(row)}
    />
  );
}) as <T extends { readonly id: string }, S extends string>(props: DataRowProps<T, S>) => ReactNode;

function Head<T extends { readonly id: string }, S extends string>({
  rows,
  columns,
  sorting,
  selection,
  menu,
}: DataTableProps<T, S>) {
  const t = useTranslations('ui.list');
  const selectedCount = (selection && rows?.filter(({ id }) => selection.ids.has(id)).length) ?? 0;
  return (
    <>
      {selection && (
        <Column className="w-10 pr-0">
          <Checkbox
            label={t('selectPage')}
            checked={selectedCount > 0 && selectedCount === rows?.length}
            mixed={selectedCount > 0 && selectedCount < (rows?.length ?? 0)}
            onToggle={selection.onToggleAll}
          />
        </Column>
      )}
      {columns.map(({ head, width, sort }) => (
        <Column
          key={head}
          {...omitUndefined({ className: width })}
          {...(sorting && sort !== undefined
            ? {
                sort: sort === sorting.sort ? (sorting.descending ? 'descending' : 'ascending') : null,
                onSort: () => sorting.onSort(sort),
              }
            : {})}
        >
          {head}
        </Column>
      ))}
      {menu && (
        <Column className="w-14">
          <span className="sr-only">{t('actions')}</span>
        </Column>
      )}
    </>
  );
}

interface CellsProps<T, S extends string> {
  columns: readonly DataColumn<T, S>[];
  selected?: boolean;
  /** Undefined if rows cannot be selected. */
  checkbox: ReactNode;
  cell: (column: DataColumn<T, S>) => ReactNode;
  menu: ReactNode;
}

/** Cells of one row, which is also the layout of the skeleton rows. */
function Cells<T, S extends string>({ columns, selected = false, checkbox, cell, menu }: CellsProps<T, S>) {
  return (
    <Row selected={selected} compact>
      {checkbox !== undefined && <Cell className="pr-0">{checkbox}</Cell>}
      {columns.map((column, index) => (
        <Cell
          key={column.head}
          className={cn(
            column.className,
            index === 0 && 'max-sm:min-w-0 max-sm:flex-1',
            index > 0 &&
              (column.phone
                ? 'max-sm:text-ink-2 max-sm:order-4 max-sm:content-center max-sm:text-sm'
                : 'max-sm:hidden'),
          )}
        >
          {cell(column)}
        </Cell>
      ))}
      {menu !== undefined && <Cell className="max-sm:order-2">{menu}</Cell>}
    </Row>
  );
}
