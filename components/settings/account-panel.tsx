'use client';

import { useTranslations } from 'use-intl';
import { CopyButton } from '@/components/ui/copy/copy-button';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { Fact, FactId, FactList, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/lib/client/queries/account-queries';
import { ChangeEmailDialog } from './change-email';

/** Email address, id and creation time of the account. */
export function AccountPanel({ email }: { email: string }) {
  const t = useTranslations('settings.accountPanel');
  const me = useMe();
  const placeholder = <Skeleton className="h-4 w-36" />;
  if (me.isError && !me.data) {
    return <LoadErrorMessage subject={t('theAccount')} error={me.error} onRetry={() => void me.refetch()} />;
  }
  return (
    <Panel title={t('account')} description={t('description')} action={<ChangeEmailDialog />}>
      <FactList>
        <Fact name={t('email')}>
          <span className="flex min-w-0 items-center justify-end gap-1">
            <span className="min-w-0 truncate">{email}</span>
            <CopyButton value={email} label={t('copyEmail')} className="-mr-2" />
          </span>
        </Fact>
        <Fact name={t('accountId')}>
          {me.data ? <FactId value={me.data.id} label={t('accountIdNoun')} /> : placeholder}
        </Fact>
        <Fact name={t('created')}>{me.data ? <RelativeTime at={me.data.createdAt} /> : placeholder}</Fact>
      </FactList>
    </Panel>
  );
}
