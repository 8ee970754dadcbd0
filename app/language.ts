import Negotiator from 'negotiator';
import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { auto, languageChoice, languageCookie, type LanguageChoice } from '@/components/i18n/language';
import { languages, type Language } from '@/messages/languages';

/**
 * The language of a request. This is a file of its own because importing words.tsx sends use-intl to the browser. The root
 * layout needs only the language, and viewers' pages have no room for more.
 */

interface RequestLanguage {
  readonly choice: LanguageChoice;
  /** The first language of the browser that has a catalogue. */
  readonly ofBrowser: Language;
}

/** Language headers and cookie of the request. */
export const requestLanguages = cache(async (): Promise<RequestLanguage> => {
  const preferences = new Negotiator({
    headers: { 'accept-language': (await headers()).get('accept-language') ?? '' },
  }).language([...languages]);
  const ofBrowser = languages.find((each) => each === preferences) ?? languages[0];
  return { choice: languageChoice((await cookies()).get(languageCookie)?.value), ofBrowser };
});

/** The language of the page that is rendered. */
export async function getLanguage(): Promise<Language> {
  const { choice, ofBrowser } = await requestLanguages();
  return choice === auto ? ofBrowser : choice;
}
