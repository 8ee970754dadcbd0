/** The languages of tracks, as BCP 47 tags. */

const tagFormat = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,6}$/;

/** Canonical spelling of a language tag, such as `pt-BR`; null for an invalid tag. */
export function languageTag(text: string): string | null {
  if (!tagFormat.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** Name of a language in that language, such as "Deutsch". @param tag returned by `languageTag` */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Whether two tags name the same language, such as `en` and `en-GB`. */
export const isSameLanguage = (a: string, b: string): boolean => primaryLanguage(a) === primaryLanguage(b);

/** ISO 639 code of a tag, such as `pt` of `pt-BR`. */
export const primaryLanguage = (tag: string): string => new Intl.Locale(tag).language;

/** Default label of generated subtitles. */
export const generatedLabel = (tag: string): string => `${languageName(tag)} (auto)`;
