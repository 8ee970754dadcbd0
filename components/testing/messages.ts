import { createTranslator } from 'use-intl/core';
import type { Translator, MessageNamespace } from '@/components/i18n/messages';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { en } from '@/messages/en';

/** Returns messages of the service unchanged, for tests of functions that take a translator. */
export const untranslated: TranslateMessage = (message) => message;

/** Translator with the English texts of a namespace. */
export const englishMessages = <Name extends MessageNamespace>(namespace: Name): Translator<Name> =>
  createTranslator({ locale: 'en', messages: en, namespace });
