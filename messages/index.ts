import type { AnyCatalogue } from './catalogue';
import { de } from './de';
import { en } from './en';
import type { Language } from './languages';

/** All texts. Only the server loads them: a page gets the areas it shows, in one language (app/messages.tsx). */
export const catalogues: Readonly<Record<Language, AnyCatalogue>> = { en, de };
