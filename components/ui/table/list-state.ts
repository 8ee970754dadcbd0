/** Search, filters and order that a list supports, and their defaults. */
export interface ListOptions<S extends string> {
  /** Allowed values of each filter by its name in the URL; `any` allows every text. */
  readonly filters: Readonly<Record<string, readonly string[] | 'any'>>;
  /** Fields by which the list can be sorted. */
  readonly sorts: readonly S[];
  /** Default field. */
  readonly sort: S;
  /** Default direction. */
  readonly descending: boolean;
  /** Whether the list has a grid view. */
  readonly grid?: true;
}

export type ListView = 'table' | 'grid';

/** Filter value that matches everything. It never appears in the URL. */
export const ALL_FILTER_VALUE = 'all';

/** State of a list. Fields that are missing in the URL have the defaults of the list. */
export interface ListState<S extends string> {
  readonly search: string;
  /** Values of the active filters. */
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: S;
  readonly descending: boolean;
  /** Cursor of the page; null = the first page. */
  readonly cursor: string | null;
  /** Rows per page. */
  readonly size: number;
  readonly view: ListView;
}

/** Selectable numbers of rows per page. */
export const pageSizes = [20, 50, 100] as const;
const defaultSize = pageSizes[0];

/** Parses the state from the query of a URL; invalid values count as absent. */
export function readListState<S extends string>(
  options: ListOptions<S>,
  params: URLSearchParams,
): ListState<S> {
  const [field, direction] = (params.get('sort') ?? '').split('-');
  const sort = options.sorts.find((candidate) => candidate === field);
  const filters = Object.entries(options.filters).flatMap(([name, values]) => {
    const value = params.get(name) ?? '';
    return value !== '' && value !== ALL_FILTER_VALUE && (values === 'any' || values.includes(value))
      ? [[name, value] as const]
      : [];
  });
  return {
    search: params.get('q') ?? '',
    filters: Object.fromEntries(filters),
    sort: sort ?? options.sort,
    descending: sort ? direction === 'desc' : options.descending,
    cursor: params.get('cursor'),
    size: pageSizes.find((size) => String(size) === params.get('size')) ?? defaultSize,
    view: options.grid && params.get('view') === 'grid' ? 'grid' : 'table',
  };
}

/** The shortest query string for a state; "" for the default state. */
export function writeListState<S extends string>(options: ListOptions<S>, state: ListState<S>): string {
  const params = new URLSearchParams();
  if (state.search) params.set('q', state.search);
  for (const name of Object.keys(options.filters)) {
    const value = state.filters[name];
    if (value) params.set(name, value);
  }
  if (state.sort !== options.sort || state.descending !== options.descending) {
    params.set('sort', `${state.sort}-${state.descending ? 'desc' : 'asc'}`);
  }
  if (state.size !== defaultSize) params.set('size', String(state.size));
  if (state.view === 'grid') params.set('view', 'grid');
  if (state.cursor) params.set('cursor', state.cursor);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

/** Whether the first page has no rows. */
export const isEmptyList = (
  page: { readonly items: readonly unknown[] } | undefined,
  { cursor }: { readonly cursor: string | null },
): boolean => page?.items.length === 0 && !cursor;

/** Whether a search or filter is active. */
export function hasActiveFilters({
  search,
  filters,
}: Pick<ListState<string>, 'search' | 'filters'>): boolean {
  return search !== '' || Object.keys(filters).length > 0;
}

/**
 * Order after a click on a column. The current column reverses its order; names start ascending, other columns
 * descending.
 */
export function sortedBy<S extends string>(
  { sort, descending }: Pick<ListState<S>, 'sort' | 'descending'>,
  field: S,
): Pick<ListState<S>, 'sort' | 'descending'> {
  return { sort: field, descending: field === sort ? !descending : field !== 'name' };
}

/** Query parameters that all lists have in common (GET /api/…?limit=&order=&filters=&cursor=&count=). */
export function listQueryOf<S extends string>(
  state: ListState<S>,
  conditions: readonly { readonly id: string; readonly value: string | boolean }[],
) {
  const search = state.search.trim();
  const filters = search ? [...conditions, { id: 'name', value: search }] : conditions;
  return {
    limit: String(state.size),
    count: '1',
    // "name-true": descending by name.
    order: `${state.sort}-${state.descending}`,
    ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}),
    ...(state.cursor ? { cursor: state.cursor } : {}),
  };
}
