'use client';

import { useEffect, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { sayReasonsBy, type Say } from '@/lib/client/server-messages';
import type { ReasonObject } from '@/lib/contract/reason';
import { sourceLanguage, type Language } from '@/messages/languages';

type Values = Record<string, string | number>;

/** Codes come from the service, which may be newer than the page, so they have no literal type. */
interface LooseTranslator {
  (key: string, values: Values): string;
  has: (key: string) => boolean;
}

/** Translates messages of the service by their codes: `say(status.errorMessage, status.errorReason)`. */
export function useSay(): Say {
  const t = useTranslations() as unknown as LooseTranslator;
  const language = useLocale();
  return useMemo(() => sayIn(t, language), [t, language]);
}

/** Installs the translation of errors from the API client. Rendered once in each part of the pages. */
export function ReasonsOfClient(): null {
  const sayHere = useSay();
  useEffect(() => sayReasonsBy(sayHere), [sayHere]);
  return null;
}

function sayIn(t: LooseTranslator, language: Language): Say {
  // Messages of the service are in English already.
  if (language === sourceLanguage) return (sentence) => sentence;
  const sayHere: Say = (sentence, reason) => {
    if (!reason) return sentence;
    const key = `reasons.${reason.code}`;
    if (!t.has(key)) return sentence;
    const text = t(key, valuesOf(reason, language, sayHere));
    return reason.field === undefined ? text : `${reason.field}: ${text}`;
  };
  return sayHere;
}

function valuesOf({ params, cause }: ReasonObject, language: Language, sayHere: Say): Values {
  const values = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? amountIn(language, value) : numberIn(language, value),
    ]),
  );
  const reasonText = params.reason;
  return cause && typeof reasonText === 'string' ? { ...values, reason: sayHere(reasonText, cause) } : values;
}

/** Integers stay numbers, because plural forms depend on them: `{limit, plural, …}`. */
const numberIn = (language: Language, value: number): number | string =>
  Number.isInteger(value) ? value : value.toLocaleString(language);

const amount = /^(\d+(?:\.\d+)?) (%|[kMGTP]?B|kbit\/s|(?:second|minute|hour)s?)$/;

/** Formats "1.5 GB" and "2 minutes" for the language; returns any other text unchanged. */
function amountIn(language: Language, text: string): string {
  const [, digits, unit = ''] = amount.exec(text) ?? [];
  if (digits === undefined) return text;
  if (/^(second|minute|hour)/.test(unit))
    return Number(digits).toLocaleString(language, {
      style: 'unit',
      unit: unit.replace(/s$/, ''),
      unitDisplay: 'long',
    });
  return `${Number(digits).toLocaleString(language)} ${unit}`;
}
