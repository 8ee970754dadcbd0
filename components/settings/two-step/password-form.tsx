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
  /** A field before the password: its name in the API, and the attributes of its input. */
  extraField?: ComponentProps<typeof Input> & {
    readonly apiField: string;
    readonly label: string;
    readonly initialValue?: string;
  };
  /** @param extraValue value of the field before the password; empty without that field */
  onSubmit: (password: string, extraValue: string) => void;
}

/** Asks for the password before a change of two-step login. */
export function PasswordForm({
  email,
  submitLabel,
  danger = false,
  mutation,
  extraField,
  onSubmit,
}: PasswordFormProps) {
  // An empty list of API fields: no error of the service is shown at the field.
  const { apiField = [], label = '', initialValue = '', ...inputProps } = extraField ?? {};
  const form = useMutationForm({
    mutation,
    fields: { password: 'password', extraValue: apiField },
    defaultValues: { password: '', extraValue: initialValue },
  });
  const { control, errorOf, register } = form;
  const values = useWatch({ control });
  const canSubmit = values.password !== '' && (extraField === undefined || values.extraValue?.trim() !== '');
  return (
    <MutationForm
      form={form}
      submitLabel={submitLabel}
      danger={danger}
      canSubmit={canSubmit}
      onSubmit={({ password, extraValue }) => onSubmit(password, extraValue.trim())}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {extraField && (
        <Field label={label} error={errorOf('extraValue')}>
          {(field) => <Input {...field} {...register('extraValue')} {...inputProps} />}
        </Field>
      )}
      <OwnPasswordField registration={register('password')} error={errorOf('password')} />
    </MutationForm>
  );
}
