'use client';

import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { useLinkToken } from '@/components/auth/use-link-token';
import { Button } from '@/components/ui/button';
import { FieldsWhenReady } from '@/components/ui/form/fields-when-ready';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { errorMessagesOf } from '@/lib/client/call';
import { useRequestPasswordReset, useResetPassword } from '@/lib/client/queries/account-queries';
import { openSession } from '@/lib/client/sign-in';

const resetCommand = 'npm run cli -- account:reset-link --email';

export function ResetPassword({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations('auth.reset');
  const token = useLinkToken();
  // The URL decides which form is shown, and only the browser knows its fragment.
  if (token === null) return <div className="min-h-80" />;
  if (token !== '') return <NewPassword token={token} />;
  if (sendsMail) return <RequestLink />;
  return (
    <Heading title={t('title')}>{t.rich('noMail', { code: () => <code>{resetCommand}</code> })}</Heading>
  );
}

function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-2 mt-1 wrap-anywhere">{children}</p>
    </>
  );
}

interface OneFieldProps {
  kind: 'email' | 'password';
  label: string;
  hint?: string;
  submit: string;
  pending: boolean;
  errorMessages: readonly string[];
  /** Says what is wrong with a value before it is sent. */
  check: (value: string) => string | undefined;
  onSubmit: (value: string) => void;
}

function OneField({ kind, label, hint, submit, pending, errorMessages, check, onSubmit }: OneFieldProps) {
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string>();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const fault = check(value);
    setFault(fault);
    if (fault === undefined && !pending) onSubmit(value);
  };
  const email = { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    // Without scripts, GET would put the input into the URL; POST does not.
    <form noValidate method="post" onSubmit={send} className="mt-8">
      <FieldsWhenReady>
        <Field label={label} hint={hint} error={fault ?? errorMessageFor(kind, errorMessages)}>
          {(field) => (
            <Input
              {...field}
              name={kind}
              type={kind}
              {...(kind === 'email' ? email : { autoComplete: 'new-password' })}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        <FormError>
          {otherErrorMessages([kind, 'token'], errorMessages) ?? errorMessageFor('token', errorMessages)}
        </FormError>
        <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
          {submit}
        </Button>
      </FieldsWhenReady>
    </form>
  );
}

function RequestLink() {
  const t = useTranslations('auth.reset');
  const form = useTranslations('auth.form');
  const request = useRequestPasswordReset();
  const { email } = request.variables ?? { email: '' };
  if (request.isSuccess) return <Heading title={t('sent')}>{t('sentText', { email })}</Heading>;
  return (
    <>
      <Heading title={t('title')}>{t('text')}</Heading>
      <OneField
        kind="email"
        label={form('email')}
        submit={t('send')}
        pending={request.isPending}
        errorMessages={errorMessagesOf(request.error)}
        check={(value) => (z.email().safeParse(value.trim()).success ? undefined : form('emailMissing'))}
        onSubmit={(value) => request.mutate({ email: value.trim() })}
      />
    </>
  );
}

function NewPassword({ token }: { token: string }) {
  const t = useTranslations('auth.reset');
  const form = useTranslations('auth.form');
  const reset = useResetPassword();
  const [opening, setOpening] = useState(false);
  const errorMessages = errorMessagesOf(reset.error);
  const isWrongLink = errorMessageFor('token', errorMessages) !== undefined;
  const save = (password: string) =>
    reset.mutate(
      { token, password },
      {
        onSuccess: ({ email }) => {
          setOpening(true);
          void openSession({ email, password }).then((refusal) =>
            window.location.assign(refusal === null ? '/' : '/login'),
          );
        },
      },
    );
  return (
    <>
      <Heading title={t('choose')}>{t('chooseText')}</Heading>
      <OneField
        kind="password"
        label={t('newPassword')}
        hint={form('passwordHint')}
        submit={t('save')}
        pending={reset.isPending || opening}
        errorMessages={errorMessages}
        check={(value) =>
          value.length < 10 ? form('passwordShort') : value.length > 128 ? form('passwordLong') : undefined
        }
        onSubmit={save}
      />
      {isWrongLink && (
        <p className="mt-4">
          <a href="#" className="text-accent-ink font-medium underline underline-offset-4">
            {t('requestNew')}
          </a>
        </p>
      )}
    </>
  );
}
