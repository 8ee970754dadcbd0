import { YEAR_SECONDS } from '@/lib/core/units';
import type { Language } from '@/messages/languages';

/** Choice of the language that the browser prefers. */
export const auto = 'auto' as const;

/** Tag of a language with a catalogue, or "auto" for the language of the browser. */
export type LanguageChoice = Language;

/** Cookie of the chosen language, so that the server renders pages in it. */
export const languageCookie = 'headwater-language';

const MAX_AGE_SECONDS = YEAR_SECONDS;

/** Stores the language for later pages of this browser. */
export function storeLanguage(choice: LanguageChoice): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // 0 deletes the cookie.
  const maxAgeSeconds = choice === auto ? 0 : MAX_AGE_SECONDS;
  document.cookie = `${languageCookie}=${choice}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}
