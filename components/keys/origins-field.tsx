'use client';

import { RemovableItems } from '@/components/ui/form/removable-items';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { parseOrigin } from '@/lib/core/access/origin';
import { readUrl } from '@/lib/core/read-url';

interface TypedOrigins {
  origins: string[];
  /** Error for text that is not an origin. */
  error: string | undefined;
}

/** Parses entered or pasted origins, separated by spaces, commas or line breaks, and normalizes them. */
export function parseTypedOrigins(t: Translator<'keys.originsField'>, text: string): TypedOrigins {
  const origins = new Set<string>();
  let error: string | undefined;
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    // Browsers copy an origin from the address bar with a slash at its end.
    const origin = word === '*' ? '*' : parseOrigin(word.replace(/\/$/, ''));
    if (origin) origins.add(origin);
    else error ??= originError(t, word);
  }
  return { origins: [...origins], error };
}

/** Characters of an invalid origin that its error message quotes. */
const MAX_QUOTED_CHARACTERS = 60;

/** Error message for text that is not an origin. */
function originError(t: Translator<'keys.originsField'>, word: string): string {
  const text = word.length > MAX_QUOTED_CHARACTERS ? `${word.slice(0, MAX_QUOTED_CHARACTERS)}…` : word;
  if (!/^https?:\/\//i.test(word)) return t('noScheme', { text });
  if (word.includes('*')) return t('asteriskInHost', { text });
  if ((readUrl(word)?.pathname ?? '/') !== '/') {
    return t('hasPath', { text, origin: new URL(word).origin });
  }
  return t('noOrigin', { text });
}

interface OriginsFieldProps {
  value: readonly string[];
  onChange: (origins: readonly string[]) => void;
  /** @param isInvalid whether the field contains text that is not an origin */
  onInvalidChange?: (isInvalid: boolean) => void;
  /** Purpose of the origins; default: use of a key. */
  hint?: string;
  /** Accessible name of the list; default: that of a key. */
  listLabel?: string;
  error?: string | undefined;
}

/** Adds origins one by one or several at a time, and validates while typing. */
export function OriginsField({
  value,
  onChange,
  onInvalidChange,
  hint,
  listLabel,
  error,
}: OriginsFieldProps) {
  const t = useTranslations('keys.originsField');
  const [text, setText] = useState('');
  const typedOrigins = parseTypedOrigins(t, text);

  function add() {
    if (typedOrigins.error) return;
    onChange([...new Set([...value, ...typedOrigins.origins])]);
    setText('');
  }

  function changeText(next: string) {
    setText(next);
    onInvalidChange?.(parseTypedOrigins(t, next).error !== undefined);
  }

  return (
    <div className="grid gap-2">
      <Field
        label={t('allowedOrigins')}
        hint={hint ?? t('whatTheyAre')}
        error={visibleError(text, typedOrigins.error) ?? error}
      >
        {(field) => (
          <div className="flex gap-2">
            <Input
              {...field}
              value={text}
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://example.com"
              onChange={(event) => changeText(event.target.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || text.trim() === '') return;
                event.preventDefault();
                add();
              }}
            />
            <Button
              onClick={add}
              disabled={typedOrigins.origins.length === 0 || typedOrigins.error !== undefined}
            >
              {t('add')}
            </Button>
          </div>
        )}
      </Field>
      <RemovableItems
        label={listLabel ?? t('originsOfThisKey')}
        mono
        items={value.map((origin) => ({
          value: origin,
          text: origin,
          removeLabel: t('removeOrigin', { origin }),
        }))}
        onRemove={(removedOrigin) => onChange(value.filter((origin) => origin !== removedOrigin))}
      />
    </div>
  );
}

/** Error to show while typing. The beginning of `https://` or `http://` is not an error yet. */
function visibleError(text: string, error: string | undefined): string | undefined {
  const trimmedText = text.trim().toLowerCase();
  const isPartOfScheme = ['https://', 'http://'].some((scheme) => scheme.startsWith(trimmedText));
  return isPartOfScheme ? undefined : error;
}
