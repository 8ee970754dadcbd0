'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { lazy, Suspense, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Field, Input } from '@/components/ui/form/field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { useConfirmTotp, useRemoveTotp, useStartTotp } from '@/lib/client/queries/factor-queries';
import type { SignInFactors } from '@/lib/contract/accounts/sign-in-factors';
import { PasswordForm } from './password-form';
import { NewRecoveryCodes } from './recovery-codes';

const QrImage = lazy(() => import('@/components/ui/qr-image'));

export function AuthenticatorAppPanel({ totp, email }: { totp: SignInFactors['totp']; email: string }) {
  const t = useTranslations('settings.twoStep');
  return (
    <Panel
      title={t('app')}
      description={t('appText')}
      action={
        // The set-up dialog stays mounted after the app is on, because it then shows the recovery codes.
        <div className="flex gap-2">
          <SetUpApp email={email} isOn={totp !== null} />
          {totp && <TurnOffApp email={email} />}
        </div>
      }
    >
      {totp ? (
        <p>
          {t('appOn')} <RelativeTime at={totp.createdAt} />
        </p>
      ) : (
        <p className="text-ink-2">{t('appOff')}</p>
      )}
    </Panel>
  );
}

/** Attributes of a field for a code. */
const codeInput = { autoComplete: 'one-time-code', autoCapitalize: 'none', spellCheck: false } as const;

/**
 * Dialog that asks for the password, then shows the QR code and checks a code, and then shows the recovery codes if this
 * is the first second factor of the account.
 */
function SetUpApp({ email, isOn }: { email: string; isOn: boolean }) {
  const t = useTranslations('settings.twoStep');
  const [open, setOpen] = useState(false);
  const startTotp = useStartTotp();
  const confirm = useConfirmTotp();
  const changeOpen = (isOpen: boolean) => {
    startTotp.reset();
    confirm.reset();
    setOpen(isOpen);
  };
  const finish = () => {
    changeOpen(false);
    toast.success(t('appTurnedOn'), { description: t('othersLoggedOut') });
  };
  const codes = confirm.data?.recoveryCodes;
  const setup = startTotp.data;
  const submit = (code: string) => {
    if (!setup) return;
    const onSuccess = ({ recoveryCodes }: { recoveryCodes: string[] | null }) => {
      if (!recoveryCodes) finish();
    };
    confirm.mutate({ setupToken: setup.setupToken, code }, { onSuccess });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={codes ? t('recoveryCodes') : t('setUpApp')}
      {...(codes ? {} : { description: setup ? t('scan') : t('setUpAppText') })}
      {...(isOn ? {} : { trigger: <Button size="sm">{t('setUp')}</Button> })}
    >
      {codes ? (
        <NewRecoveryCodes codes={codes} onDone={finish} />
      ) : setup ? (
        <FirstCodeForm {...setup} mutation={confirm} onSubmit={submit} />
      ) : (
        <PasswordForm
          email={email}
          submitLabel={t('next')}
          mutation={startTotp}
          onSubmit={(password) => startTotp.mutate({ password })}
        />
      )}
    </Dialog>
  );
}

interface FirstCodeFormProps {
  /** `otpauth:` URI for the QR code. */
  uri: string;
  /** The same secret, to be typed into the app. */
  secret: string;
  mutation: FormMutation;
  onSubmit: (code: string) => void;
}

/** QR code for the app, and a field for the code that the app then shows. */
function FirstCodeForm({ uri, secret, mutation, onSubmit }: FirstCodeFormProps) {
  const t = useTranslations('settings.twoStep');
  const form = useMutationForm({ mutation, fields: ['code'], defaultValues: { code: '' } });
  const code = useWatch({ control: form.control, name: 'code' });
  return (
    <MutationForm
      form={form}
      submitLabel={t('turnOn')}
      canSubmit={code.trim() !== ''}
      onSubmit={() => onSubmit(code)}
    >
      <div className="mx-auto size-48 overflow-hidden rounded-md border bg-white">
        <Suspense>
          <QrImage text={uri} label={t('qrCode')} />
        </Suspense>
      </div>
      <CopyField label={t('secret')} value={secret} />
      <Field label={t('code')} error={form.errorOf('code')}>
        {(field) => <Input {...field} {...form.register('code')} {...codeInput} />}
      </Field>
    </MutationForm>
  );
}

/** Dialog that turns the app off, with the password and a code. */
function TurnOffApp({ email }: { email: string }) {
  const t = useTranslations('settings.twoStep');
  const [open, setOpen] = useState(false);
  const remove = useRemoveTotp();
  const changeOpen = (isOpen: boolean) => {
    remove.reset();
    setOpen(isOpen);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={t('turnOffApp')}
      description={t('turnOffAppText')}
      trigger={<Button size="sm">{t('turnOff')}</Button>}
    >
      <PasswordForm
        email={email}
        submitLabel={t('turnOff')}
        danger
        mutation={remove}
        extraField={{ apiField: 'code', label: t('codeOrRecovery'), ...codeInput }}
        onSubmit={(password, code) =>
          remove.mutate(
            { password, code },
            {
              onSuccess: () => {
                changeOpen(false);
                toast.success(t('appTurnedOff'), { description: t('othersLoggedOut') });
              },
            },
          )
        }
      />
    </Dialog>
  );
}
