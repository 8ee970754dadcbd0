'use client';

import { type ComponentProps, createContext, type ReactNode, use, useEffect, useRef } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/overlay/dialog';
import { FormError } from './field';
import type { MutationFormState } from './use-mutation-form';

/** State of the form for its submit button. */
const SubmitState = createContext({ pending: false, canSubmit: true });

/** Button that submits its form. It is disabled until the form can be submitted. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, 'type' | 'pending' | 'disabled'>) {
  const { pending, canSubmit } = use(SubmitState);
  return <Button type="submit" variant="primary" {...props} disabled={!canSubmit} pending={pending} />;
}

interface MutationFormProps<Values extends FieldValues, Result, Name extends FieldPath<Values>> {
  form: MutationFormState<Values, Result, Name>;
  /** Label of the submit button; not used with `actions`. */
  submitLabel?: string;
  /** Whether the submit button is red. */
  danger?: boolean;
  /** Whether the form can be submitted. */
  canSubmit?: boolean;
  /** Button before the submit button. */
  secondary?: ReactNode;
  /** Replaces the buttons at the end of the form; null: the children contain the buttons. */
  actions?: ReactNode;
  /** Error of the whole form; by default the errors of the service that concern no field. */
  error?: string | undefined;
  className?: string;
  /** `post` on pages that show the form before their code runs: GET would put the values into the URL. */
  method?: 'post';
  onSubmit: (values: Result) => void | Promise<void>;
  children: ReactNode;
}

/**
 * Form for one call of the API. It validates its fields, ignores a submit while the call is pending, and focuses the first
 * field with an error.
 */
export function MutationForm<Values extends FieldValues, Result, Name extends FieldPath<Values>>({
  form,
  canSubmit = true,
  error = form.otherErrors,
  className = 'grid gap-5',
  method,
  onSubmit,
  children,
  ...buttons
}: MutationFormProps<Values, Result, Name>) {
  const element = useRef<HTMLFormElement>(null);
  const { mutation, formState, handleSubmit } = form;
  const { submitCount } = formState;
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount, mutation.error]);
  const send = handleSubmit(onSubmit);
  return (
    <form
      ref={element}
      noValidate
      {...(method && { method })}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit && !mutation.isPending) void send(event);
      }}
    >
      <SubmitState value={{ pending: mutation.isPending, canSubmit }}>
        {children}
        {buttons.actions !== null && <FormError>{error}</FormError>}
        {buttons.actions === undefined ? <Actions {...buttons} /> : buttons.actions}
      </SubmitState>
    </form>
  );
}

type ActionsProps = Pick<
  MutationFormProps<FieldValues, unknown, string>,
  'submitLabel' | 'danger' | 'secondary'
>;

function Actions({ submitLabel, danger = false, secondary }: ActionsProps) {
  return (
    <DialogActions>
      {secondary}
      <SubmitButton variant={danger ? 'danger' : 'primary'}>{submitLabel}</SubmitButton>
    </DialogActions>
  );
}
