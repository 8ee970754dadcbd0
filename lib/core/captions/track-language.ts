/** Format of BCP 47 language tags, before their canonical form is determined. */
const tagFormat = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,6}$/;

/** Canonical spelling of a language tag, such as `pt-BR`; null for an invalid tag. */
export function canonicalizeLanguageTag(text: string): string | null {
  if (!tagFormat.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Name of a language in that language, such as "Deutsch".
 * @param tag a tag that `canonicalizeLanguageTag` returned
 */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Whether two tags name the same language, such as `en` and `en-GB`. */
export const isSameLanguage = (a: string, b: string): boolean => primaryLanguage(a) === primaryLanguage(b);

/** ISO 639 code of the language of a tag, such as `pt` for `pt-BR`. */
export const primaryLanguage = (tag: string): string => new Intl.Locale(tag).language;

/** Default label of generated subtitles. */
export const generatedLabel = (tag: string): string => `${languageName(tag)} (auto)`;
