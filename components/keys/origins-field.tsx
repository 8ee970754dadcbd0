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
export function readTypedOrigins(t: Translator<'keys.originsField'>, text: string): TypedOrigins {
  const origins = new Set<string>();
  let error: string | undefined;
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const origin = part === '*' ? '*' : parseOrigin(part.replace(/\/$/, ''));
    if (origin) origins.add(origin);
    else error ??= originError(t, part);
  }
  return { origins: [...origins], error };
}

function originError(t: Translator<'keys.originsField'>, part: string): string {
  const text = part.length > 60 ? `${part.slice(0, 60)}…` : part;
  if (!/^https?:\/\//i.test(part)) return t('noScheme', { text });
  if (part.includes('*')) return t('asteriskInHost', { text });
  if ((readUrl(part)?.pathname ?? '/') !== '/') {
    return t('hasPath', { text, origin: new URL(part).origin });
  }
  return t('noOrigin', { text });
}

interface OriginsFieldProps {
  value: readonly string[];
  onChange: (origins: readonly string[]) => void;
  /** @param faulty whether the field contains text that is not an origin */
  onFault?: (faulty: boolean) => void;
  /** Purpose of the origins; default: use of a key. */
  hint?: string;
  /** Accessible name of the list; default: that of a key. */
  listLabel?: string;
  error?: string | undefined;
}

/** Adds origins one by one or several at a time, and validates while typing. */
export function OriginsField({ value, onChange, onFault, hint, listLabel, error }: OriginsFieldProps) {
  const t = useTranslations('keys.originsField');
  const [text, setText] = useState('');
  const typedOrigins = readTypedOrigins(t, text);

  function add() {
    if (typedOrigins.error) return;
    onChange([...new Set([...value, ...typedOrigins.origins])]);
    setText('');
  }

  function changeText(next: string) {
    setText(next);
    onFault?.(readTypedOrigins(t, next).error !== undefined);
  }

  return (
    <div className="grid gap-2">
      <Field
        label={t('allowedOrigins')}
        hint={hint ?? t('whatTheyAre')}
        error={visibleError(text, typedOrigins.error) ?? error}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
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
        onRemove={(origin) => onChange(value.filter((item) => item !== origin))}
      />
    </div>
  );
}

/** Error to show while typing. The beginning of `https://` or `http://` is not an error yet. */
function visibleError(text: string, error: string | undefined): string | undefined {
  const typedText = text.trim().toLowerCase();
  const isPartOfScheme = ['https://', 'http://'].some((scheme) => scheme.startsWith(typedText));
  return isPartOfScheme ? undefined : error;
}
