'use client';

import { type ComponentProps, createContext, type ReactNode, use, useEffect, useRef } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/overlay/dialog';
import { FormError } from './field';
import type { MutationFormState } from './use-mutation-form';

/** State of the form around a button that submits it. */
const SubmitState = createContext({ pending: false, complete: true });

/** Submits the form around it; disabled until that is complete. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, 'type' | 'pending' | 'disabled'>) {
  const { pending, complete } = use(SubmitState);
  return <Button type="submit" variant="primary" {...props} disabled={!complete} pending={pending} />;
}

interface MutationFormProps<Values extends FieldValues, Result, Name extends FieldPath<Values>> {
  form: MutationFormState<Values, Result, Name>;
  /** Label of the button; left out where `actions` has it. */
  submit?: string;
  danger?: boolean;
  /** Whether the form can be submitted. */
  complete?: boolean;
  /** Button before the submit button. */
  secondary?: ReactNode;
  /** Instead of the buttons at the end of a dialog; null: the children have them. */
  actions?: ReactNode;
  /** Error of the whole form; by default the errors of the service that concern no field. */
  error?: string | undefined;
  className?: string;
  /** `post` on pages that show the form before their code runs: GET would put the values into the URL. */
  method?: 'post';
  onSubmit: (values: Result) => void | Promise<void>;
  children: ReactNode;
}

/** The form of every call that has fields: it checks them, submits once at a time and shows what was refused. */
export function MutationForm<Values extends FieldValues, Result, Name extends FieldPath<Values>>({
  form,
  complete = true,
  error = form.otherErrors,
  className = 'grid gap-5',
  method,
  onSubmit,
  children,
  ...buttons
}: MutationFormProps<Values, Result, Name>) {
  const element = useRef<HTMLFormElement>(null);
  const { call, formState, handleSubmit } = form;
  const { submitCount } = formState;
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount, call.error]);
  const send = handleSubmit(onSubmit);
  return (
    <form
      ref={element}
      noValidate
      {...(method && { method })}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (complete && !call.isPending) void send(event);
      }}
    >
      <SubmitState value={{ pending: call.isPending, complete }}>
        {children}
        {buttons.actions !== null && <FormError>{error}</FormError>}
        {buttons.actions === undefined ? <Actions {...buttons} /> : buttons.actions}
      </SubmitState>
    </form>
  );
}

type ActionsProps = Pick<MutationFormProps<FieldValues, unknown, string>, 'submit' | 'danger' | 'secondary'>;

function Actions({ submit, danger = false, secondary }: ActionsProps) {
  return (
    <DialogActions>
      {secondary}
      <SubmitButton variant={danger ? 'danger' : 'primary'}>{submit}</SubmitButton>
    </DialogActions>
  );
}
