import { join } from 'node:path';
import type { AnyCatalogue } from './catalogue';
import { de } from './de';
import { en } from './en';
import { type Language, type LanguageName, sourceLanguage } from './languages';
import { readTranslations } from './read-translations';

/** Languages that are not built in, one file each (ADR 95). */
const translations = readTranslations(join(process.cwd(), 'messages', 'languages'), en);

/** Texts of all languages. Only the server loads them; a page gets only its own areas, in one language (app/messages.tsx). */
const catalogues: ReadonlyMap<Language, AnyCatalogue> = new Map([
  [sourceLanguage, en],
  ['de', de],
  ...translations.map(({ tag, texts }) => [tag, texts] as const),
]);

export const languageNames: readonly LanguageName[] = [
  { tag: sourceLanguage, name: 'English' },
  { tag: 'de', name: 'Deutsch' },
  ...translations.map(({ tag, name }) => ({ tag, name })),
];

export const catalogueOf = (language: Language): AnyCatalogue => catalogues.get(language) ?? en;

/** Language of a tag. Undefined: the server has no texts in this language. */
export const languageOf = (tag: string | undefined): Language | undefined =>
  languageNames.find((language) => language.tag === tag)?.tag;
