import { describe, expect, test } from 'vitest';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { catalogueOf, languageNames } from '@/messages';

type Text = string | { readonly [key: string]: Text };

/** The keys of a catalogue with their texts, for example "settings.language.title". */
function flattenTexts(text: Text, path = ''): [string, string][] {
  if (typeof text === 'string') return [[path, text]];
  return Object.entries(text).flatMap(([key, inner]) => flattenTexts(inner, path ? `${path}.${key}` : key));
}

/** Names and kinds of a message's arguments: "count:number", "link:tag". */
function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  const argumentNames = elements.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.argument:
        return [`${element.value}:text`];
      case TYPE.number:
      case TYPE.date:
      case TYPE.time:
        return [`${element.value}:${TYPE[element.type]}`];
      case TYPE.plural:
      case TYPE.select:
        return [
          `${element.value}:${TYPE[element.type]}`,
          ...Object.values(element.options).flatMap(({ value }) => argumentsOf(value)),
        ];
      case TYPE.tag:
        return [`${element.value}:tag`, ...argumentsOf(element.children)];
      default:
        return [];
    }
  });
  return [...new Set(argumentNames)].sort();
}

const isReason = (key: string) => key.startsWith('reasons.');
const namesOf = (text: string) => argumentsOf(parse(text)).map((argument) => argument.replace(/:\w+$/, ''));

const languages = languageNames.map(({ tag }) => tag);
const source = flattenTexts(catalogueOf('en'));
const [, ...otherLanguages] = languages;

test('every message can be parsed and has a text', () => {
  for (const language of languages)
    for (const [key, text] of flattenTexts(catalogueOf(language))) {
      expect(text.trim(), `${language} ${key}`).not.toBe('');
      expect(() => parse(text), `${language} ${key}`).not.toThrow();
    }
});

describe.each(otherLanguages)('%s', (language) => {
  const translations = new Map(flattenTexts(catalogueOf(language)));

  test('has the keys of English, but may lack messages of the service', () =>
    expect([...translations.keys()].sort()).toEqual(
      // A translation may omit messages of the service, which are then English (messages/read-translations.ts).
      source
        .map(([key]) => key)
        .filter((key) => language === 'de' || !isReason(key) || translations.has(key))
        .sort(),
    ));

  const withArguments = source.filter(([, text]) => /[{<]/.test(text));

  test.each(withArguments.filter(([key]) => !isReason(key)))('%s has the arguments of English', (key, text) =>
    expect(argumentsOf(parse(translations.get(key) ?? ''))).toEqual(argumentsOf(parse(text))),
  );

  // The service formats the English numbers itself, so only translations use plural and select arguments.
  test.each(withArguments.filter(([key]) => isReason(key)))(
    '%s only uses arguments of the service',
    (key, text) =>
      expect(namesOf(text)).toEqual(expect.arrayContaining(namesOf(translations.get(key) ?? ''))),
  );
});
