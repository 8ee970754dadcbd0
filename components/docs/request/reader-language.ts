import { yearSeconds } from '@/lib/core/units';

/** A cookie, so that the server sends the page with samples in this language and nothing moves. */
export const languageCookie = 'reference-language';

export function keepLanguage(language: string): void {
  document.cookie = `${languageCookie}=${language}; path=/docs; max-age=${yearSeconds}; samesite=lax`;
}
