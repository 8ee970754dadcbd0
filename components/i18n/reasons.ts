'use client';

import { useEffect, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { sayReasonsBy, type Say } from '@/lib/client/server-messages';
import type { ReasonObject } from '@/lib/contract/reason';
import { languages, type Language } from '@/messages/languages';

type Values = Record<string, string | number>;

/** Codes come from the service, which may be newer than the page: no type knows them. */
interface LooseWords {
  (key: string, values: Values): string;
  has: (key: string) => boolean;
}

/** Words sentences of the service by their codes: `say(status.errorMessage, status.errorReason)`. */
export function useSay(): Say {
  const t = useTranslations() as unknown as LooseWords;
  const language = useLocale();
  return useMemo(() => sayIn(t, language), [t, language]);
}

/** For the sentences that the API client hands to forms and notices. One in each part of the pages. */
export function ReasonsOfClient(): null {
  const sayHere = useSay();
  useEffect(() => sayReasonsBy(sayHere), [sayHere]);
  return null;
}

function sayIn(t: LooseWords, language: Language): Say {
  // The service writes English, the first language.
  if (language === languages[0]) return (sentence) => sentence;
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

/** Whole numbers stay numbers, because plural forms depend on them: `{limit, plural, …}`. */
const numberIn = (language: Language, value: number): number | string =>
  Number.isInteger(value) ? value : value.toLocaleString(language);

const amount = /^(\d+(?:\.\d+)?) (%|[kMGTP]?B|kbit\/s|(?:second|minute|hour)s?)$/;

/** "1.5 GB" and "2 minutes" as the language writes them; any other text as it is. */
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
