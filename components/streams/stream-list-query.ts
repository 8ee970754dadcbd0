/** The streams list's state as it stands in the address bar; everything is optional there. */
export type StreamFilter = 'all' | 'active' | 'idle' | 'recording' | 'suspended';
export type StreamSortField = 'name' | 'createdAt' | 'lastSeen';

export interface StreamListState {
  search: string;
  filter: StreamFilter;
  sort: StreamSortField;
  descending: boolean;
  cursor: string | null;
}

export const streamFilters = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'idle', label: 'Idle' },
  { value: 'recording', label: 'Recording' },
  { value: 'suspended', label: 'Suspended' },
] as const satisfies readonly { value: StreamFilter; label: string }[];

const sortFields: readonly StreamSortField[] = ['name', 'createdAt', 'lastSeen'];
const defaultSort = { sort: 'lastSeen', descending: true } as const;
const PAGE_SIZE = 20;

/** Reads the address bar; what makes no sense there counts as left out. */
export function readStreamListState(params: URLSearchParams): StreamListState {
  const filter = streamFilters.find(({ value }) => value === params.get('status'))?.value ?? 'all';
  const [field, direction] = (params.get('sort') ?? '').split('-');
  const sort = sortFields.find((each) => each === field);
  return {
    search: params.get('q') ?? '',
    filter,
    ...(sort ? { sort, descending: direction === 'desc' } : defaultSort),
    cursor: params.get('cursor'),
  };
}

/** The query part of the address for a state: as short as it can be, "" for the plain list. */
export function writeStreamListState(state: StreamListState): string {
  const params = new URLSearchParams();
  if (state.search) params.set('q', state.search);
  if (state.filter !== 'all') params.set('status', state.filter);
  if (state.sort !== defaultSort.sort || state.descending !== defaultSort.descending) {
    params.set('sort', `${state.sort}-${state.descending ? 'desc' : 'asc'}`);
  }
  if (state.cursor) params.set('cursor', state.cursor);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

type Condition = { id: string; value: boolean | string };

const conditions: Record<StreamFilter, readonly Condition[]> = {
  all: [],
  active: [{ id: 'isActive', value: true }],
  idle: [
    { id: 'isActive', value: false },
    { id: 'suspended', value: false },
  ],
  recording: [{ id: 'record', value: true }],
  suspended: [{ id: 'suspended', value: true }],
};

/** The state as the query of GET /api/stream. */
export function streamListQueryOf(state: StreamListState) {
  const search = state.search.trim();
  const filters: Condition[] = [...conditions[state.filter]];
  if (search) filters.push({ id: 'name', value: search });
  return {
    streamsonly: '1',
    limit: String(PAGE_SIZE),
    count: '1',
    order: `${state.sort}-${state.descending}${state.sort === 'lastSeen' ? `,createdAt-${state.descending}` : ''}`,
    ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}),
    ...(state.cursor ? { cursor: state.cursor } : {}),
  };
}
