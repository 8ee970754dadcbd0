'use client';

import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { useLinkToken } from '@/components/auth/use-link-token';
import { FieldsAfterHydration } from '@/components/ui/form/fields-after-hydration';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { issuesOf } from '@/lib/client/call';
import { useRequestPasswordReset, useResetPassword } from '@/lib/client/queries/account-queries';
import { signInWithPassword } from '@/lib/client/sign-in';

const resetCommand = 'npm run cli -- account:reset-link --email';

/** Form that requests a reset link, or sets the new password if the URL contains the token of a link. */
export function ResetPasswordForm({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations('auth.reset');
  const token = useLinkToken();
  // The URL decides which form is shown, and only the browser knows its fragment.
  if (token === null) return <div className="min-h-80" />;
  if (token !== '') return <NewPasswordForm token={token} />;
  if (sendsMail) return <RequestLinkForm />;
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

interface OneFieldFormProps {
  kind: 'email' | 'password';
  label: string;
  hint?: string;
  submitLabel: string;
  mutation: FormMutation;
  /** Returns the error message of a value before it is sent; undefined for a valid value. */
  validate: (value: string) => string | undefined;
  onSubmit: (value: string) => void;
}

function OneFieldForm({ kind, label, hint, submitLabel, mutation, validate, onSubmit }: OneFieldFormProps) {
  const form = useMutationForm({
    mutation,
    fields: ['email', 'password'],
    defaultValues: { email: '', password: '' },
  });
  const emailAttributes = { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <MutationForm
      form={form}
      method="post"
      className="mt-8"
      actions={null}
      onSubmit={(values) => onSubmit(values[kind])}
    >
      <FieldsAfterHydration>
        <Field label={label} hint={hint} error={form.errorOf(kind)}>
          {(field) => (
            <Input
              {...field}
              {...form.register(kind, { validate })}
              type={kind}
              {...(kind === 'email' ? emailAttributes : { autoComplete: 'new-password' })}
            />
          )}
        </Field>
        <FormError>{errorMessageFor('token', issuesOf(mutation.error)) ?? form.otherErrors}</FormError>
        <SubmitButton size="lg" className="w-full">
          {submitLabel}
        </SubmitButton>
      </FieldsAfterHydration>
    </MutationForm>
  );
}

function RequestLinkForm() {
  const t = useTranslations('auth.reset');
  const tForm = useTranslations('auth.form');
  const request = useRequestPasswordReset();
  const { email } = request.variables ?? { email: '' };
  if (request.isSuccess) return <Heading title={t('sent')}>{t('sentText', { email })}</Heading>;
  return (
    <>
      <Heading title={t('title')}>{t('text')}</Heading>
      <OneFieldForm
        kind="email"
        label={tForm('email')}
        submitLabel={t('send')}
        mutation={request}
        validate={(value) => (z.email().safeParse(value.trim()).success ? undefined : tForm('emailMissing'))}
        onSubmit={(value) => request.mutate({ email: value.trim() })}
      />
    </>
  );
}

function NewPasswordForm({ token }: { token: string }) {
  const t = useTranslations('auth.reset');
  const tForm = useTranslations('auth.form');
  const reset = useResetPassword();
  const [isOpeningSession, setIsOpeningSession] = useState(false);
  const isLinkRejected = errorMessageFor('token', issuesOf(reset.error)) !== undefined;
  const save = (password: string) =>
    reset.mutate(
      { token, password },
      {
        onSuccess: ({ email }) => {
          setIsOpeningSession(true);
          void signInWithPassword({ email, password }).then((rejection) =>
            window.location.assign(rejection === null ? '/' : '/login'),
          );
        },
      },
    );
  return (
    <>
      <Heading title={t('choose')}>{t('chooseText')}</Heading>
      <OneFieldForm
        kind="password"
        label={t('newPassword')}
        hint={tForm('passwordHint')}
        submitLabel={t('save')}
        mutation={{ isPending: reset.isPending || isOpeningSession, error: reset.error }}
        validate={(value) =>
          value.length < 10 ? tForm('passwordShort') : value.length > 128 ? tForm('passwordLong') : undefined
        }
        onSubmit={save}
      />
      {isLinkRejected && (
        <p className="mt-4">
          <a href="#" className="text-accent-ink font-medium underline underline-offset-4">
            {t('requestNew')}
          </a>
        </p>
      )}
    </>
  );
}
