import type { AccountContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { createEgressPolicy } from '@/lib/infra/egress-policy';

/**
 * Private and local addresses are refused unless the operator allows them. What a name
 * resolves to is checked when it is called.
 * @param field how the caller names it
 * @throws AppError `invalid`
 */
export function checkRemote({ settings }: AccountContext, field: string, url: string): void {
  if (createEgressPolicy(settings.egressAllowCidrs).allowsHost(new URL(url).hostname)) return;
  throw new AppError(
    'invalid',
    `${field}: must be a public address. The operator can allow private and local ones with EGRESS_ALLOW_CIDRS.`,
  );
}
