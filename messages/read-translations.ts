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

const file = z.object({
  /** Name of the language in the language itself. */
  name: z.string().min(1).max(60),
  texts: z.record(z.string(), z.unknown()),
});

const maxFiles = 50;
const maxBytes = 2_000_000;

/**
 * Reads the languages of a folder: one JSON file each, named by its tag, such as `fr.json` or `pt-BR.json`. A text that is
 * missing, cannot be parsed or uses unknown arguments is replaced with the source text.
 * @throws Error for an invalid file, because a service that starts without it would hide the mistake
 */
export function readTranslations(folder: string, source: Texts): readonly Translation[] {
  return filesIn(folder).map((entry) => {
    const path = join(folder, entry);
    const tag = entry.slice(0, -'.json'.length);
    if (!isTag(tag)) throw new Error(`${path}: its name must be a language tag, such as fr.json`);
    if (statSync(path).size > maxBytes) throw new Error(`${path}: must have at most ${maxBytes} bytes`);
    const { name, texts } = file.parse(JSON.parse(readFileSync(path, 'utf8')));
    const { reasons, ...areas } = source;
    // Missing messages need no fallback: responses include the English message.
    const reasonTexts = typeof reasons === 'object' ? onlyTranslated(reasons, texts.reasons) : {};
    return { tag, name, texts: { ...merged(areas, texts), reasons: reasonTexts } as unknown as AnyCatalogue };
  });
}

function filesIn(folder: string): readonly string[] {
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
    .slice(0, maxFiles);
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

const innerOf = (texts: unknown, key: string): unknown =>
  typeof texts === 'object' && texts !== null && Object.hasOwn(texts, key)
    ? (texts as Readonly<Record<string, unknown>>)[key]
    : undefined;

function merged(source: Texts, texts: unknown): Texts {
  return Object.fromEntries(
    Object.entries(source).map(([key, text]): [string, Texts | string] => {
      const translated = innerOf(texts, key);
      if (typeof text !== 'string') return [key, merged(text, translated)];
      return [key, isTranslation(translated, text) ? translated : text];
    }),
  );
}

function onlyTranslated(source: Texts, texts: unknown): Texts {
  const keys = Object.keys(source);
  return Object.fromEntries(
    keys.flatMap((key) => {
      const translated = innerOf(texts, key);
      const text = source[key];
      return typeof text === 'string' && isTranslation(translated, text) ? [[key, translated]] : [];
    }),
  );
}

/** Whether a text can be parsed and uses only arguments of the source text. */
function isTranslation(text: unknown, source: string): text is string {
  if (typeof text !== 'string' || text.trim() === '') return false;
  try {
    const names = new Set(namesIn(compile(source)));
    return namesIn(compile(text)).every((name) => names.has(name));
  } catch {
    return false;
  }
}

/** Names of arguments and tags in a compiled message: a text, or a list of texts and `[name, …]`. */
function namesIn(message: unknown): string[] {
  if (!Array.isArray(message)) return [];
  return (message as readonly unknown[]).flatMap((part): string[] => {
    if (!Array.isArray(part)) return [];
    const [name, ...rest] = part as readonly unknown[];
    const inner = typeof rest[0] === 'number' ? Object.values(rest[1] ?? {}).flatMap(namesIn) : namesIn(rest);
    return typeof name === 'string' ? [name, ...inner] : inner;
  });
}
