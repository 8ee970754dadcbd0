import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

type AuditSortField = 'createdAt';

/** What a line is about; 'all' is no filter. */
export const auditKinds = [
  { value: 'all', label: 'All kinds' },
  { value: 'account', label: 'Account' },
  { value: 'brand', label: 'Viewer pages' },
  { value: 'stream', label: 'Streams' },
  { value: 'asset', label: 'Assets' },
  { value: 'task', label: 'Tasks' },
  { value: 'target', label: 'Targets' },
  { value: 'api-key', label: 'API keys' },
  { value: 'webhook', label: 'Webhooks' },
] as const;

export const auditListShape: ListShape<AuditSortField> = {
  filters: { kind: auditKinds.map(({ value }) => value) },
  sorts: ['createdAt'],
  sort: 'createdAt',
  descending: true,
};

/** The state as the query of GET /api/dashboard/audit. */
export function auditListQueryOf(state: ListState<AuditSortField>) {
  const { kind } = state.filters;
  // Actions are called `stream.created`.
  return listQueryOf({ ...state, search: '' }, kind ? [{ id: 'action', value: `${kind}.` }] : []);
}
