'use client';

import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/overlay/dialog';
import { FormError } from './field';
import { otherErrorMessages } from './server-messages';

interface MutationFormProps {
  /** The call runs: nothing is submitted meanwhile. */
  pending: boolean;
  /** What the service refused. */
  errorMessages: readonly string[];
  /** Fields that show the sentences about them; all others are shown above the buttons. */
  fields: readonly string[];
  /** Text of the button. */
  submit: string;
  danger?: boolean;
  /** Whether the form can be submitted. */
  complete?: boolean;
  /** Button before the submit button. */
  secondary?: ReactNode;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** A form in a dialog, whose submit is one call of the service. */
export function MutationForm(props: MutationFormProps) {
  const { pending, errorMessages, fields, submit, danger = false, complete = true, onSubmit } = props;
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete && !pending) onSubmit(event);
      }}
    >
      {props.children}
      <FormError>{otherErrorMessages(fields, errorMessages)}</FormError>
      <DialogActions>
        {props.secondary}
        <Button type="submit" variant={danger ? 'danger' : 'primary'} disabled={!complete} pending={pending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}
