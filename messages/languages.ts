/** A BCP 47 tag: one that is built in, or that of a file in messages/languages. */
export type Language = string;

/** The language that texts are written in first. Readers of a language without texts get it. */
export const sourceLanguage = 'en';

export interface LanguageName {
  readonly tag: Language;
  /** In the language itself, as people look for it. */
  readonly name: string;
}
