import { yearSeconds } from '@/lib/core/units';
import type { Language } from '@/messages/languages';

export const auto = 'auto' as const;

/** A language with a catalogue. */
export type LanguageChoice = Language;

/** Cookie of the chosen language: the server must know it before the first byte of a page. */
export const languageCookie = 'headwater-language';

const keptSeconds = yearSeconds;

/** Stores the language for later pages of this browser. */
export function storeLanguage(choice: LanguageChoice): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = choice === auto ? 0 : keptSeconds;
  document.cookie = `${languageCookie}=${choice}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}
