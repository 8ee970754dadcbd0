'use client';

import { memo, useDeferredValue, type ReactNode } from 'react';
import { Checkbox } from './checkbox';
import { cn } from './class-names';
import { Skeleton } from './skeleton';
import { Cell, Column, Row, Table } from './table';

/** One column of a list: its heading, what stands in a row, and the still shape that keeps its place. */
export interface DataColumn<T, S extends string = never> {
  /** On a card it stands beside the value; the first column is the card's heading and stands alone. */
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
  /** Size of the shape before there is data: "h-4 w-20". */
  readonly still: ReactNode;
  /** The list can be sorted by this. */
  readonly sort?: S;
  /** Width of the column. */
  readonly width?: string;
  readonly className?: string;
}

export interface DataSorting<S extends string> {
  readonly sort: S;
  readonly descending: boolean;
  readonly onSort: (field: S) => void;
}

export interface DataSelection {
  readonly ids: Pick<ReadonlySet<string>, 'has'>;
  /** `range`: all from the one before to this one. */
  readonly onToggle: (id: string, range: boolean) => void;
  readonly onToggleAll: () => void;
}

interface DataTableProps<T, S extends string> {
  label: string;
  columns: readonly DataColumn<T, S>[];
  /** undefined = not loaded yet. */
  rows: readonly T[] | undefined;
  /** For those who hear the table: which row a tick belongs to. */
  nameOf: (row: T) => string;
  sorting?: DataSorting<S>;
  selection?: DataSelection;
  /** A button that opens what can be done with a row. */
  menu?: (row: T) => ReactNode;
  stillRows?: number;
}

/**
 * A list of objects: head, rows, and still rows of the same shape while there is nothing yet. The rows may come a moment
 * after the rest of the page: a hundred of them never keep it from what a hand does meanwhile.
 */
export function DataTable<T extends { readonly id: string }, S extends string = never>(
  props: DataTableProps<T, S>,
) {
  const shown = useDeferredValue(props);
  return (
    <Table label={props.label} head={<Head {...props} />}>
      <Body shown={shown} />
    </Table>
  );
}

interface BodyProps<T, S extends string> {
  shown: DataTableProps<T, S>;
}

/** Rendered when what is shown is another object, and only then. */
const Body = memo(Rows) as typeof Rows;

function Rows<T extends { readonly id: string }, S extends string>({ shown }: BodyProps<T, S>): ReactNode {
  const { rows, columns, selection, menu, nameOf, stillRows = 6 } = shown;
  if (!rows) {
    return Array.from({ length: stillRows }, (_, index) => (
      <Cells
        key={index}
        columns={columns}
        tick={selection && <Skeleton className="size-4" />}
        cell={({ still }) => (typeof still === 'string' ? <Skeleton className={still} /> : still)}
        menu={menu && <Skeleton className="size-8" />}
      />
    ));
  }
  return rows.map((row) => {
    const selected = selection?.ids.has(row.id) ?? false;
    return (
      <Cells
        key={row.id}
        columns={columns}
        selected={selected}
        tick={
          selection && (
            <Checkbox
              label={`Select ${nameOf(row)}`}
              checked={selected}
              onToggle={(range) => selection.onToggle(row.id, range)}
            />
          )
        }
        cell={({ cell }) => cell(row)}
        menu={menu?.(row)}
      />
    );
  });
}

function Head<T extends { readonly id: string }, S extends string>({
  rows,
  columns,
  sorting,
  selection,
  menu,
}: DataTableProps<T, S>) {
  const ticked = (selection && rows?.filter(({ id }) => selection.ids.has(id)).length) ?? 0;
  return (
    <>
      {selection && (
        <Column className="w-10 pr-0">
          <Checkbox
            label="Select all on this page"
            checked={ticked > 0 && ticked === rows?.length}
            mixed={ticked > 0 && ticked < (rows?.length ?? 0)}
            onToggle={selection.onToggleAll}
          />
        </Column>
      )}
      {columns.map(({ head, width, sort }) => (
        <Column
          key={head}
          {...(width === undefined ? {} : { className: width })}
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
          <span className="sr-only">Actions</span>
        </Column>
      )}
    </>
  );
}

interface CellsProps<T, S extends string> {
  columns: readonly DataColumn<T, S>[];
  selected?: boolean;
  tick: ReactNode;
  cell: (column: DataColumn<T, S>) => ReactNode;
  menu: ReactNode;
}

/** One row, so that the still shapes stand exactly where the data will. */
function Cells<T, S extends string>({ columns, selected = false, tick, cell, menu }: CellsProps<T, S>) {
  return (
    <Row selected={selected}>
      {tick !== undefined && (
        <Cell className="pr-0 max-sm:absolute max-sm:top-4 max-sm:left-4 max-sm:flex max-sm:h-9 max-sm:items-center">
          {tick}
        </Cell>
      )}
      {columns.map((column, index) => (
        <Cell
          key={column.head}
          {...(index === 0 ? {} : { label: column.head })}
          className={cn(
            index === 0 && 'max-sm:mb-2',
            index === 0 && tick !== undefined && 'max-sm:pl-8',
            index === 0 && menu !== undefined && 'max-sm:pr-10',
            column.className,
          )}
        >
          {cell(column)}
        </Cell>
      ))}
      {menu !== undefined && <Cell className="max-sm:absolute max-sm:top-3 max-sm:right-2">{menu}</Cell>}
    </Row>
  );
}
