'use client';

import { AlertDialog as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { DialogActions } from './dialog';
import { Field, FormError, Input } from '@/components/ui/form/field';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Consequences, in a sentence or two. */
  children: ReactNode;
  /** Word to type before the button is enabled: "delete". Absent for reversible actions. */
  confirmationWord?: string;
  /** Label of the button: "Delete stream". */
  confirmLabel: string;
  pending: boolean;
  error?: string | undefined;
  onConfirm: () => void;
}

/** Asks for a confirmation of an action. For an irreversible action, the user must type a word. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="bg-scrim animate-fade fixed inset-0 z-40" />
        <Radix.Content className="bg-raised shadow-pop animate-pop fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-xl border p-6 focus:outline-none sm:inset-x-auto sm:top-[16vh] sm:bottom-auto sm:left-1/2 sm:max-h-[80dvh] sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:rounded-xl">
          <Radix.Title className="line-clamp-4 text-xl font-semibold tracking-tight wrap-anywhere">
            {props.title}
          </Radix.Title>
          <Radix.Description className="text-ink-2 mt-2 wrap-anywhere">{props.children}</Radix.Description>
          <ConfirmForm {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Buttons, and the field for the word. It is mounted inside the dialog, so that closing discards the input. */
function ConfirmForm({ confirmationWord, confirmLabel, pending, error, onConfirm }: ConfirmDialogProps) {
  const t = useTranslations('ui.confirmDialog');
  const [typedText, setTypedText] = useState('');
  const isConfirmed = confirmationWord === undefined || typedText.trim().toLowerCase() === confirmationWord;
  return (
    <form
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !pending) onConfirm();
      }}
    >
      {confirmationWord === undefined ? (
        <FormError>{error}</FormError>
      ) : (
        <Field label={t('typeWord', { word: confirmationWord })} error={error}>
          {(field) => (
            <Input
              {...field}
              value={typedText}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setTypedText(event.target.value)}
            />
          )}
        </Field>
      )}
      <DialogActions>
        <Radix.Cancel asChild>
          <Button>{t('cancel')}</Button>
        </Radix.Cancel>
        <Button type="submit" variant="danger" disabled={!isConfirmed} pending={pending}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
