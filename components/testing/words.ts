import { createTranslator } from 'use-intl/core';
import type { Words, WordsName } from '@/components/i18n/words';
import type { Say } from '@/lib/client/reason-words';
import { en } from '@/messages/en';

/** Sentences of the service as they are, for tests of functions that word them. */
export const asWritten: Say = (sentence) => sentence;

/** The English words of a part of the catalogue, for tests of functions that are given them. */
export const englishWords = <Name extends WordsName>(namespace: Name): Words<Name> =>
  createTranslator({ locale: 'en', messages: en, namespace });
