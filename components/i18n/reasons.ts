'use client';

import { useEffect, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { setMessageTranslation, type TranslateMessage } from '@/lib/client/server-messages';
import type { ReasonObject } from '@/lib/contract/reason';
import { sourceLanguage, type Language } from '@/messages/languages';

type Values = Record<string, string | number>;

/** Translator for any key: codes come from the service, which may be newer than the page. */
interface LooseTranslator {
  (key: string, values: Values): string;
  has: (key: string) => boolean;
}

/** Translates messages of the service by their codes: `translateMessage(status.errorMessage, status.errorReason)`. */
export function useTranslateMessage(): TranslateMessage {
  const t = useTranslations() as unknown as LooseTranslator;
  const language = useLocale();
  return useMemo(() => translateWithReason(t, language), [t, language]);
}

/** Installs the translation of errors of the API client. Every layout with translated pages renders it once. */
export function ClientErrorTranslation(): null {
  const translateMessage = useTranslateMessage();
  useEffect(() => setMessageTranslation(translateMessage), [translateMessage]);
  return null;
}

function translateWithReason(t: LooseTranslator, language: Language): TranslateMessage {
  // Messages of the service are in English.
  if (language === sourceLanguage) return (message) => message;
  const translateMessage: TranslateMessage = (message, reason) => {
    if (!reason) return message;
    const key = `reasons.${reason.code}`;
    if (!t.has(key)) return message;
    const text = t(key, translatedValues(reason, language, translateMessage));
    return reason.field === undefined ? text : `${reason.field}: ${text}`;
  };
  return translateMessage;
}

function translatedValues(
  { params, cause }: ReasonObject,
  language: Language,
  translateMessage: TranslateMessage,
): Values {
  const values = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? formatAmount(language, value) : formatNumber(language, value),
    ]),
  );
  // The parameter `reason` is the English text of another message, whose code and parameters are in `cause`.
  const reasonText = params.reason;
  return cause && typeof reasonText === 'string'
    ? { ...values, reason: translateMessage(reasonText, cause) }
    : values;
}

/** Integers stay numbers, because plural forms depend on them: `{limit, plural, …}`. */
const formatNumber = (language: Language, value: number): number | string =>
  Number.isInteger(value) ? value : value.toLocaleString(language);

const amountPattern = /^(\d+(?:\.\d+)?) (%|[kMGTP]?B|kbit\/s|(?:second|minute|hour)s?)$/;

/** Formats "1.5 GB" and "2 minutes" for the language; returns any other text unchanged. */
function formatAmount(language: Language, text: string): string {
  const [, digits, unit = ''] = amountPattern.exec(text) ?? [];
  if (digits === undefined) return text;
  if (/^(second|minute|hour)/.test(unit))
    return Number(digits).toLocaleString(language, {
      style: 'unit',
      unit: unit.replace(/s$/, ''),
      unitDisplay: 'long',
    });
  return `${Number(digits).toLocaleString(language)} ${unit}`;
}
