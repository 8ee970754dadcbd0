'use client';

import { KeyRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoPasskeyError, useAddPasskey, useRemovePasskey } from '@/lib/client/queries/factor-queries';
import { createPasskey } from '@/lib/client/sign-in';
import type { Passkey, SignInFactors } from '@/lib/contract/accounts/sign-in-factors';
import { describeAgent } from '@/components/settings/audit-text';
import { PasswordForm } from './password-form';
import { NewRecoveryCodes } from './recovery-codes';

interface PasskeysPanelProps {
  readonly passkeys: SignInFactors['passkeys'];
  /** Host name for which passkeys are created; null if browsers offer no passkeys for BASE_URL. */
  readonly relyingPartyId: string | null;
  readonly email: string;
}

export function PasskeysPanel({ passkeys, relyingPartyId, email }: PasskeysPanelProps) {
  const t = useTranslations('settings.twoStep');
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
  return (
    <Panel
      title={t('passkeys')}
      description={t('passkeysText')}
      action={relyingPartyId === null ? undefined : <AddPasskey email={email} />}
    >
      {relyingPartyId === null && <Notice>{t('noHost')}</Notice>}
      {passkeys.length === 0 && relyingPartyId !== null && <p className="text-ink-2">{t('noPasskeys')}</p>}
      {passkeys.length > 0 && (
        <ul aria-label={t('passkeys')} className="-my-2 divide-y">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-3 py-2.5">
              <KeyRound aria-hidden="true" className="text-ink-3 size-4 shrink-0" strokeWidth={1.75} />
              <div className="min-w-0 flex-1">
                <div className="font-medium wrap-anywhere">{passkey.name}</div>
                <div className="text-ink-2 text-sm">
                  {t('passkeyCreated')} <RelativeTime at={passkey.createdAt} />
                  {' · '}
                  {t('passkeyUsed')} <RelativeTime at={passkey.lastUsedAt} never={t('never')} />
                </div>
              </div>
              <Button size="sm" onClick={() => setPasskeyToRemove(passkey)}>
                {t('remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <RemovePasskey passkey={passkeyToRemove} email={email} onClose={() => setPasskeyToRemove(null)} />
    </Panel>
  );
}

/**
 * Dialog that asks for the password and a name, then opens the passkey dialog of the browser, and then shows the recovery
 * codes if this is the first second factor of the account.
 */
function AddPasskey({ email }: { email: string }) {
  const t = useTranslations('settings.twoStep');
  const tAuditText = useTranslations('settings.auditText');
  const [open, setOpen] = useState(false);
  const add = useAddPasskey();
  const changeOpen = (isOpen: boolean) => {
    add.reset();
    setOpen(isOpen);
  };
  const finish = () => {
    changeOpen(false);
    toast.success(t('passkeyAdded'), { description: t('othersLoggedOut') });
  };
  const codes = add.data?.recoveryCodes;
  const stopReason = add.error instanceof NoPasskeyError ? add.error.reason : null;
  const error = useMemo(
    () =>
      stopReason === null
        ? add.error
        : new Error(t(stopReason === 'known' ? 'passkeyKnown' : 'passkeyStopped')),
    [stopReason, add.error, t],
  );
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={codes ? t('recoveryCodes') : t('addPasskey')}
      {...(codes ? {} : { description: t('addPasskeyText') })}
      trigger={<Button size="sm">{t('addPasskey')}</Button>}
    >
      {codes ? (
        <NewRecoveryCodes codes={codes} onDone={finish} />
      ) : (
        <PasswordForm
          email={email}
          submitLabel={t('addPasskey')}
          mutation={{ isPending: add.isPending, error }}
          extraField={{
            apiField: 'name',
            label: t('passkeyName'),
            initialValue: describeAgent(tAuditText, navigator.userAgent).slice(0, 60),
            maxLength: 60,
            autoComplete: 'off',
          }}
          onSubmit={(password, name) =>
            add.mutate(
              { name, password, createPasskey },
              {
                onSuccess: ({ recoveryCodes }) => {
                  if (!recoveryCodes) finish();
                },
              },
            )
          }
        />
      )}
    </Dialog>
  );
}

interface RemovePasskeyProps {
  /** Passkey to remove; null while the dialog is closed. */
  passkey: Passkey | null;
  email: string;
  onClose: () => void;
}

function RemovePasskey({ passkey, email, onClose }: RemovePasskeyProps) {
  const t = useTranslations('settings.twoStep');
  const remove = useRemovePasskey();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Dialog
      open={passkey !== null}
      onOpenChange={(open) => !open && close()}
      title={t('removePasskey', { name: passkey?.name ?? '' })}
      description={t('removePasskeyText')}
    >
      <PasswordForm
        email={email}
        submitLabel={t('remove')}
        danger
        mutation={remove}
        onSubmit={(password) =>
          passkey &&
          remove.mutate(
            { id: passkey.id, password },
            {
              onSuccess: () => {
                close();
                toast.success(t('passkeyRemoved'), { description: t('othersLoggedOut') });
              },
            },
          )
        }
      />
    </Dialog>
  );
}
