'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { errorMessagesOf } from '@/lib/client/call';
import {
  useBrowserSessions,
  useEndBrowserSession,
  useEndSignInSessions,
} from '@/lib/client/queries/account-queries';
import type { BrowserSession } from '@/lib/contract/accounts/browser-session';
import { describeAgent } from './audit-text';

/** Browsers in which the person is signed in. They can be logged out one by one, or all at once. */
export function SignedInDevicesPanel() {
  const t = useTranslations('settings.devices');
  const { data, isError, error, refetch } = useBrowserSessions();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Panel title={t('title')} description={t('text')}>
      {isError && !data ? (
        <LoadErrorMessage subject={t('theDevices')} error={error} onRetry={() => void refetch()} />
      ) : (
        <ul aria-label={t('title')} aria-busy={!data} className="divide-y border-y">
          {data ? (
            data.map((session) => <Device key={session.id} session={session} />)
          ) : (
            <li className="py-3">
              <Skeleton className="h-10 w-56" />
            </li>
          )}
        </ul>
      )}
      <div className="mt-5">
        <Button onClick={() => setConfirming(true)}>{t('everywhere')}</Button>
      </div>
      <LogOutEverywhere open={isConfirming} onClose={() => setConfirming(false)} />
    </Panel>
  );
}

function Device({ session }: { session: BrowserSession }) {
  const t = useTranslations('settings.devices');
  const tAuditText = useTranslations('settings.auditText');
  const regions = new Intl.DisplayNames([useLocale()], { type: 'region' });
  const endSession = useEndBrowserSession();
  const { id, current, userAgent, ip, country, lastUsedAt } = session;
  const name = describeAgent(tAuditText, userAgent) || t('unknown');
  const location = [country !== null && regions.of(country), ip].filter(Boolean).join(', ');
  const logOut = () =>
    endSession.mutate(id, {
      onSuccess: () => toast.success(t('loggedOut', { name })),
      onError: (error) => toast.error(t('notLoggedOut'), { description: errorMessagesOf(error).join(' ') }),
    });
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {name}
          {current && (
            <span className="bg-accent-soft text-accent-ink rounded-md px-1.5 py-0.5 text-sm font-normal">
              {t('current')}
            </span>
          )}
        </div>
        <div className="text-ink-3 text-sm wrap-anywhere">
          {location !== '' && <>{location} · </>}
          {t('lastUsed')} <RelativeTime at={lastUsedAt} />
        </div>
      </div>
      {!current && (
        <Button
          size="sm"
          pending={endSession.isPending}
          aria-label={t('logOutDevice', { name })}
          onClick={logOut}
        >
          {t('logOut')}
        </Button>
      )}
    </li>
  );
}

/** Asks before all browsers are logged out, including this one. */
function LogOutEverywhere({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('settings.devices');
  const endSignInSessions = useEndSignInSessions();
  const close = () => {
    endSignInSessions.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t('everywhereAsked')}
      confirmLabel={t('everywhere')}
      // After a success, the button stays pending until the log-in page is loaded.
      pending={endSignInSessions.isPending || endSignInSessions.isSuccess}
      error={errorMessagesOf(endSignInSessions.error)[0]}
      onConfirm={() =>
        endSignInSessions.mutate(undefined, { onSuccess: () => window.location.assign('/login') })
      }
    >
      {t('everywhereText')}
    </ConfirmDialog>
  );
}
