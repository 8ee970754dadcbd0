'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Textarea } from '@/components/ui/form/field';
import { errorMessagesOf } from '@/lib/client/call';

interface DescriptionFormProps {
  /** Saved description; undefined: none. */
  savedText: string | undefined;
  pending: boolean;
  error: Error | null;
  /** @param onSaved to call when it is stored */
  onSave: (description: string, onSaved: () => void) => void;
}

/** The text of a stream or an asset for its watch page. */
export function DescriptionForm({ savedText = '', pending, error, onSave }: DescriptionFormProps) {
  const t = useTranslations('ui.descriptionForm');
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? savedText;
  const hasChanged = text.trim() !== savedText;
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (hasChanged && !pending) onSave(text.trim(), () => setDraft(null));
      }}
    >
      <Field label={t('description')} hint={t('hint')}>
        {(field) => (
          <Textarea
            {...field}
            rows={3}
            maxLength={5_000}
            value={text}
            onChange={({ target }) => setDraft(target.value)}
            className="font-sans text-base"
          />
        )}
      </Field>
      <FormError>{errorMessagesOf(error).join(' ')}</FormError>
      {hasChanged && (
        <div>
          <Button type="submit" pending={pending}>
            {t('save')}
          </Button>
        </div>
      )}
    </form>
  );
}
