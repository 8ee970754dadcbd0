import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import { z } from 'zod';
import type { AnyCatalogue } from './catalogue';
import type { Language } from './languages';

export interface Translation {
  readonly tag: Language;
  readonly name: string;
  readonly texts: AnyCatalogue;
}

/** Texts by area and name, nested. */
type Texts = { readonly [key: string]: Texts | string };

const fileSchema = z.object({
  /** Name of the language in the language itself. */
  name: z.string().min(1).max(60),
  texts: z.record(z.string(), z.unknown()),
});

/** Further files of the folder are ignored. */
const MAX_FILES = 50;
/** Maximum size of one file. */
const MAX_BYTES = 2_000_000;

/**
 * Reads the languages of a folder: one JSON file each, named by its tag, such as `fr.json` or `pt-BR.json`. A text that is
 * missing, cannot be parsed or uses unknown arguments is replaced with the source text, except in the area `reasons`, where
 * it is left out.
 * @throws Error for an invalid file, because a service that starts without it would hide the mistake
 */
export function readTranslations(folder: string, source: Texts): readonly Translation[] {
  return listFileNames(folder).map((fileName) => {
    const path = join(folder, fileName);
    const tag = fileName.slice(0, -'.json'.length);
    if (!isTag(tag)) throw new Error(`${path}: its name must be a language tag, such as fr.json`);
    if (statSync(path).size > MAX_BYTES) throw new Error(`${path}: must have at most ${MAX_BYTES} bytes`);
    const { name, texts } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const { reasons, ...areas } = source;
    // Missing messages need no fallback: responses include the English message.
    const reasonTexts = typeof reasons === 'object' ? selectTranslations(reasons, texts.reasons) : {};
    const areaTexts = translateOrKeep(areas, texts);
    return { tag, name, texts: { ...areaTexts, reasons: reasonTexts } as unknown as AnyCatalogue };
  });
}

/** Lists the names of the JSON files of a folder. The list is empty if the folder does not exist. */
function listFileNames(folder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .slice(0, MAX_FILES);
}

/** Whether a text is a BCP 47 tag in its canonical spelling. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

/** Value of a key of untrusted JSON; undefined if there is none. */
const valueAt = (texts: unknown, key: string): unknown =>
  typeof texts === 'object' && texts !== null && Object.hasOwn(texts, key)
    ? (texts as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Returns the source texts, each replaced with its translation if there is a valid one. */
function translateOrKeep(source: Texts, texts: unknown): Texts {
  return Object.fromEntries(
    Object.entries(source).map(([key, text]): [string, Texts | string] => {
      const translation = valueAt(texts, key);
      if (typeof text !== 'string') return [key, translateOrKeep(text, translation)];
      return [key, isTranslation(translation, text) ? translation : text];
    }),
  );
}

/** Returns the valid translations of the source texts. */
function selectTranslations(source: Texts, texts: unknown): Texts {
  const keys = Object.keys(source);
  return Object.fromEntries(
    keys.flatMap((key) => {
      const translation = valueAt(texts, key);
      const text = source[key];
      return typeof text === 'string' && isTranslation(translation, text) ? [[key, translation]] : [];
    }),
  );
}

/** Whether a text can be parsed and uses only arguments of the source text. */
function isTranslation(text: unknown, source: string): text is string {
  if (typeof text !== 'string' || text.trim() === '') return false;
  try {
    const names = new Set(argumentNamesIn(compile(source)));
    return argumentNamesIn(compile(text)).every((name) => names.has(name));
  } catch {
    return false;
  }
}

/**
 * Names of arguments and tags in a compiled message. The message is a text, or a list of texts and lists: `[name, …]` with
 * messages for a tag, and `[name, type, options]` for an argument, whose type is a number and whose options may be messages.
 */
function argumentNamesIn(message: unknown): string[] {
  if (!Array.isArray(message)) return [];
  return (message as readonly unknown[]).flatMap((part): string[] => {
    if (!Array.isArray(part)) return [];
    const [name, ...rest] = part as readonly unknown[];
    const innerNames =
      typeof rest[0] === 'number'
        ? Object.values(rest[1] ?? {}).flatMap(argumentNamesIn)
        : argumentNamesIn(rest);
    return typeof name === 'string' ? [name, ...innerNames] : innerNames;
  });
}
