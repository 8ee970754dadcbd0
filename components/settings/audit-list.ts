import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

type AuditSortField = 'createdAt';

/** Object kinds of log entries; 'all' is no filter. */
export const auditKinds = [
  'all',
  'account',
  'brand',
  'stream',
  'asset',
  'task',
  'target',
  'api-key',
  'webhook',
  'operator',
  'invitation',
  'signing-key',
  'playback',
] as const;

export const auditListShape: ListShape<AuditSortField> = {
  filters: { kind: auditKinds },
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
