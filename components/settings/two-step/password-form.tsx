'use client';

import { useWatch } from 'react-hook-form';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import type { ComponentProps } from 'react';

interface PasswordFormProps {
  /** Account name for password managers. */
  email: string;
  /** Label of the submit button. */
  submitLabel: string;
  danger?: boolean;
  mutation: FormMutation;
  /** A field before the password: its name in the API, and its first value. */
  detail?: ComponentProps<typeof Input> & {
    readonly field: string;
    readonly label: string;
    readonly initial?: string;
  };
  /** @param detail value of the field before the password */
  onSubmit: (password: string, detail: string) => void;
}

/** Asks for the password before a change of two-step login. */
export function PasswordForm({
  email,
  submitLabel,
  danger = false,
  mutation,
  detail,
  onSubmit,
}: PasswordFormProps) {
  const { field: path = [], label = '', initial = '', ...input } = detail ?? {};
  const form = useMutationForm({
    mutation,
    fields: { password: 'password', detail: path },
    defaultValues: { password: '', detail: initial },
  });
  const { control, errorOf, register } = form;
  const values = useWatch({ control });
  const complete = values.password !== '' && (detail === undefined || values.detail?.trim() !== '');
  return (
    <MutationForm
      form={form}
      submitLabel={submitLabel}
      danger={danger}
      complete={complete}
      onSubmit={(entered) => onSubmit(entered.password, entered.detail.trim())}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {detail && (
        <Field label={label} error={errorOf('detail')}>
          {(field) => <Input {...field} {...register('detail')} {...input} />}
        </Field>
      )}
      <OwnPasswordField registration={register('password')} error={errorOf('password')} />
    </MutationForm>
  );
}
