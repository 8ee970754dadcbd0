/** BCP 47 tag of a built-in language, or of a file in messages/languages. */
export type Language = string;

/** Language of the source texts, and the fallback for languages without texts. */
export const sourceLanguage = 'en';

export interface LanguageName {
  readonly tag: Language;
  /** Name of the language in the language itself, as in `Deutsch`. */
  readonly name: string;
}
