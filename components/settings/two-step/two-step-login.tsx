'use client';

import { useTranslations } from 'use-intl';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useFactors } from '@/lib/client/queries/factor-queries';
import { hasSecondFactor } from '@/lib/core/accounts/sign-in-steps';
import { AuthenticatorAppPanel } from './authenticator-app';
import { PasskeysPanel } from './passkeys';
import { RecoveryCodesPanel } from './recovery-codes';

interface TwoStepLoginPanelsProps {
  email: string;
  /** Whether the account must set up a factor before it can use anything else. */
  mustSetUpFactor?: boolean;
}

/** The second factors of the account (an authenticator app, passkeys), and the recovery codes that replace them. */
export function TwoStepLoginPanels({ email, mustSetUpFactor = false }: TwoStepLoginPanelsProps) {
  const t = useTranslations('settings.twoStep');
  const factors = useFactors();
  if (!factors.data) {
    if (factors.isError)
      return (
        <LoadErrorMessage
          subject={t('theFactors')}
          error={factors.error}
          onRetry={() => void factors.refetch()}
        />
      );
    return (
      <Panel title={t('title')}>
        <Skeleton className="h-4 w-64" />
      </Panel>
    );
  }
  const { totp, passkeys, recoveryCodesLeft, passkeyHost: relyingPartyId } = factors.data;
  const hasFactor = hasSecondFactor({ hasTotp: totp !== null, passkeyCount: passkeys.length });
  return (
    <div className="grid gap-6">
      {mustSetUpFactor && !hasFactor && <Notice>{t('required')}</Notice>}
      <Panel title={t('title')} description={t(hasFactor ? 'state.on' : 'state.off')}>
        <p className="text-ink-2 text-sm">{t('resetHint')}</p>
      </Panel>
      <AuthenticatorAppPanel totp={totp} email={email} />
      <PasskeysPanel passkeys={passkeys} relyingPartyId={relyingPartyId} email={email} />
      {hasFactor && <RecoveryCodesPanel recoveryCodesLeft={recoveryCodesLeft} email={email} />}
    </div>
  );
}
