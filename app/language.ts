import Negotiator from 'negotiator';
import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { auto, languageCookie, type LanguageChoice } from '@/components/i18n/language';
import { languageNames, languageOf } from '@/messages';
import { sourceLanguage, type Language } from '@/messages/languages';

/**
 * The language of a request, in a separate file, because importing messages.tsx sends use-intl to the browser. The
 * root layout needs only the language, and the JavaScript budget of viewer pages is small.
 */

interface RequestLanguage {
  readonly choice: LanguageChoice;
  /** The first language of the browser that has a catalogue. */
  readonly browserLanguage: Language;
}

/** Language headers and cookie of the request. */
export const requestLanguages = cache(async (): Promise<RequestLanguage> => {
  const preferredTag = new Negotiator({
    headers: { 'accept-language': (await headers()).get('accept-language') ?? '' },
  }).language(languageNames.map(({ tag }) => tag));
  const browserLanguage = languageOf(preferredTag) ?? sourceLanguage;
  const choice = languageOf((await cookies()).get(languageCookie)?.value) ?? auto;
  return { choice, browserLanguage };
});

/** The language of the current page. */
export async function getLanguage(): Promise<Language> {
  const { choice, browserLanguage } = await requestLanguages();
  return choice === auto ? browserLanguage : choice;
}
