import { yearSeconds } from '@/lib/core/units';
import { isLanguage, type Language } from '@/messages/languages';

export const auto = 'auto' as const;

/** A language, or the first one of the browser's that has a catalogue. */
export type LanguageChoice = Language | typeof auto;

/** Kept in a cookie for the reason of the time settings: the server must know it before the first byte of a page. */
export const languageCookie = 'headwater-language';

/** Language choice in the cookie. */
export const languageChoice = (cookie: string | undefined): LanguageChoice =>
  isLanguage(cookie) ? cookie : auto;

const keptSeconds = yearSeconds;

/** Stores the language for later server-rendered pages of this browser. */
export function keepLanguage(choice: LanguageChoice): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = choice === auto ? 0 : keptSeconds;
  document.cookie = `${languageCookie}=${choice}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}
