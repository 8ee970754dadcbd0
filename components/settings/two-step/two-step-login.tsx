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

/** The second factors of the account: an authenticator app, passkeys, recovery codes. */
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
  const { totp, passkeys, recoveryCodesLeft, passkeyHost } = factors.data;
  const isOn = hasSecondFactor({ hasTotp: totp !== null, passkeyCount: passkeys.length });
  return (
    <div className="grid gap-6">
      {mustSetUpFactor && !isOn && <Notice>{t('required')}</Notice>}
      <Panel title={t('title')} description={t(isOn ? 'state.on' : 'state.off')}>
        <p className="text-ink-2 text-sm">{t('reset')}</p>
      </Panel>
      <AuthenticatorAppPanel totp={totp} email={email} />
      <PasskeysPanel passkeys={passkeys} passkeyHost={passkeyHost} email={email} />
      {isOn && <RecoveryCodesPanel remainingCodes={recoveryCodesLeft} email={email} />}
    </div>
  );
}
