'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { lazy, Suspense, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Field, Input } from '@/components/ui/form/field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { errorMessagesOf } from '@/lib/client/call';
import { useConfirmTotp, useRemoveTotp, useStartTotp } from '@/lib/client/queries/factor-queries';
import type { SignInFactors } from '@/lib/contract/accounts/sign-in-factors';
import { PasswordForm } from './password-form';
import { ShownCodes } from './recovery-codes';

const QrImage = lazy(() => import('@/components/ui/qr-image'));

export function AuthenticatorAppPanel({ totp, email }: { totp: SignInFactors['totp']; email: string }) {
  const t = useTranslations('settings.twoStep');
  return (
    <Panel
      title={t('app')}
      description={t('appText')}
      action={
        // Two separate dialogs: the set-up dialog still shows the recovery codes when the app is on.
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

interface CodeFieldProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}

function CodeField({ label, value, error, onChange }: CodeFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Input
          {...control}
          value={value}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Password, then QR code and first code, then the recovery codes of a first factor. */
function SetUpApp({ email, isOn }: { email: string; isOn: boolean }) {
  const t = useTranslations('settings.twoStep');
  const [open, setOpen] = useState(false);
  const start = useStartTotp();
  const confirm = useConfirmTotp();
  const change = (next: boolean) => {
    start.reset();
    confirm.reset();
    setOpen(next);
  };
  const finish = () => {
    change(false);
    toast.success(t('appTurnedOn'), { description: t('othersLoggedOut') });
  };
  const codes = confirm.data?.recoveryCodes;
  const setup = start.data;
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
      onOpenChange={change}
      title={codes ? t('recoveryCodes') : t('setUpApp')}
      {...(codes ? {} : { description: setup ? t('scan') : t('setUpAppText') })}
      {...(isOn ? {} : { trigger: <Button size="sm">{t('setUp')}</Button> })}
    >
      {codes ? (
        <ShownCodes codes={codes} onDone={finish} />
      ) : setup ? (
        <FirstCode
          {...setup}
          pending={confirm.isPending}
          errorMessages={errorMessagesOf(confirm.error)}
          onSubmit={submit}
        />
      ) : (
        <PasswordForm
          email={email}
          submit={t('next')}
          pending={start.isPending}
          errorMessages={errorMessagesOf(start.error)}
          onSubmit={(password) => start.mutate({ password })}
        />
      )}
    </Dialog>
  );
}

interface FirstCodeProps {
  uri: string;
  secret: string;
  pending: boolean;
  errorMessages: readonly string[];
  onSubmit: (code: string) => void;
}

function FirstCode({ uri, secret, pending, errorMessages, onSubmit }: FirstCodeProps) {
  const t = useTranslations('settings.twoStep');
  const [code, setCode] = useState('');
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['code']}
      submit={t('turnOn')}
      complete={code.trim() !== ''}
      onSubmit={() => onSubmit(code)}
    >
      <div className="mx-auto size-48 overflow-hidden rounded-md border bg-white">
        <Suspense>
          <QrImage text={uri} label={t('qrCode')} />
        </Suspense>
      </div>
      <CopyField label={t('secret')} value={secret} />
      <CodeField
        label={t('code')}
        value={code}
        error={errorMessageFor('code', errorMessages)}
        onChange={setCode}
      />
    </MutationForm>
  );
}

function TurnOffApp({ email }: { email: string }) {
  const t = useTranslations('settings.twoStep');
  const [open, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const remove = useRemoveTotp();
  const change = (next: boolean) => {
    remove.reset();
    setCode('');
    setOpen(next);
  };
  const errorMessages = errorMessagesOf(remove.error);
  const field = (
    <CodeField
      label={t('codeOrRecovery')}
      value={code}
      error={errorMessageFor('code', errorMessages)}
      onChange={setCode}
    />
  );
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('turnOffApp')}
      description={t('turnOffAppText')}
      trigger={<Button size="sm">{t('turnOff')}</Button>}
    >
      <PasswordForm
        email={email}
        submit={t('turnOff')}
        danger
        pending={remove.isPending}
        errorMessages={errorMessages}
        more={{ fields: field, names: ['code'], complete: code.trim() !== '' }}
        onSubmit={(password) =>
          remove.mutate(
            { password, code },
            {
              onSuccess: () => {
                change(false);
                toast.success(t('appTurnedOff'), { description: t('othersLoggedOut') });
              },
            },
          )
        }
      />
    </Dialog>
  );
}
