import { createTranslator } from 'use-intl/core';
import type { Translator, MessageNamespace } from '@/components/i18n/messages';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { en } from '@/messages/en';

/** Untranslated messages, for tests of functions that take a translator. */
export const untranslated: TranslateMessage = (message) => message;

/** The English texts of a namespace, for tests of functions that take a translator. */
export const englishMessages = <Name extends MessageNamespace>(namespace: Name): Translator<Name> =>
  createTranslator({ locale: 'en', messages: en, namespace });
