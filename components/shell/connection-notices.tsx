'use client';

import { WifiOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useUnreachableSince } from '@/lib/client/use-server-reachability';

interface SessionEndedDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks to log in again in a new tab after the sign-in session has ended, so that the input on the page is kept. */
export function SessionEndedDialog({ open, onOpenChange }: SessionEndedDialogProps) {
  const t = useTranslations('shell.connection');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('loggedOut')} description={t('logInAgain')}>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('close')}</Button>
        <Button asChild variant="primary">
          <a href="/login" target="_blank" rel="noreferrer" onClick={() => onOpenChange(false)}>
            {t('logIn')}
          </a>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A banner over the page while the server does not respond; it shifts no content. */
export function ConnectionBanner() {
  const t = useTranslations('shell.connection');
  const unreachableSince = useUnreachableSince();
  const { time } = useTimeFormat();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center"
    >
      {unreachableSince !== null && (
        <p className="bg-raised shadow-pop flex items-center gap-3 rounded-lg border px-4 py-3">
          <WifiOff aria-hidden="true" className="text-warn-ink size-4 shrink-0" />
          {navigator.onLine ? t('notResponding', { since: time(unreachableSince) }) : t('offline')}
        </p>
      )}
    </div>
  );
}
