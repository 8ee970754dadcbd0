import type { OperatorSettings } from '@/lib/infra/env';

/** What the operator is told at every start about private addresses that accounts may reach; nothing when there are none. */
export function openRangesWarning({
  egressAllowCidrs,
}: Pick<OperatorSettings, 'egressAllowCidrs'>): string[] {
  if (egressAllowCidrs.length === 0) return [];
  return [
    '',
    `  WARNING  EGRESS_ALLOW_CIDRS opens ${egressAllowCidrs.join(', ')}:`,
    '  every account can make this machine call addresses in there, with webhooks, imports, exports and targets.',
    '',
  ];
}
