import { YEAR_SECONDS } from '@/lib/core/units';

/** Stored in a cookie, so that the server renders the samples in this language and the layout does not shift. */
export const sampleLanguageCookie = 'reference-language';

export function storeSampleLanguage(language: string): void {
  document.cookie = `${sampleLanguageCookie}=${language}; path=/docs; max-age=${YEAR_SECONDS}; samesite=lax`;
}
