import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

type AuditSortField = 'createdAt';

/** Values of the filter by kind of object; 'all' disables the filter. */
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

export const auditListOptions: ListOptions<AuditSortField> = {
  filters: { kind: auditKinds },
  sorts: ['createdAt'],
  sort: 'createdAt',
  descending: true,
};

/** Query of GET /api/dashboard/audit for the state of the list. */
export function auditListQueryOf(state: ListState<AuditSortField>) {
  const { kind } = state.filters;
  // The kind is the prefix of action names such as `stream.created`.
  return listQueryOf({ ...state, search: '' }, kind ? [{ id: 'action', value: `${kind}.` }] : []);
}
