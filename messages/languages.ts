/** Languages with a catalogue. The first one is shown to readers of any other. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Names of languages in the language itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export const isLanguage = (text: string | undefined): text is Language =>
  languages.some((each) => each === text);
