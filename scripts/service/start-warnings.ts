import type { OperatorSettings } from '@/lib/infra/env';

/** Security warnings for the operator at every start, one line each. */
export function startWarnings({
  egressAllowCidrs,
  signUp,
}: Pick<OperatorSettings, 'egressAllowCidrs' | 'signUp'>): string[] {
  return [
    ...(signUp === 'open'
      ? [
          'NOTE     Anyone who can open the dashboard can sign up. Set SIGN_UP=invite or SIGN_UP=closed to prevent it.',
        ]
      : []),
    ...(signUp === 'invite'
      ? [
          'NOTE     Sign-up is by invitation. Invite a person with: npm run cli -- account:invite [--email you@example.com]',
        ]
      : []),
    ...(egressAllowCidrs.length > 0
      ? [
          `WARNING  Every account can make this server call ${egressAllowCidrs.join(', ')} (EGRESS_ALLOW_CIDRS).`,
        ]
      : []),
  ];
}
