import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { errorMessages } from '@/lib/core/reasons/messages';
import { de } from '@/messages/de';
import { en } from '@/messages/en';

/** Finds English texts on a German page: messages of the English catalogue, and messages of the service. */

type Text = string | { readonly [key: string]: Text };

const textsOf = (text: Text): string[] =>
  typeof text === 'string' ? [text] : Object.values(text).flatMap(textsOf);

/** All texts of a message: one per option of a plural or select; `null` stands for a value. */
function readings(elements: readonly MessageFormatElement[]): (string | null)[][] {
  let partialReadings: (string | null)[][] = [[]];
  for (const element of elements) {
    const options: (string | null)[][] =
      element.type === TYPE.literal
        ? [[element.value]]
        : element.type === TYPE.plural || element.type === TYPE.select
          ? Object.values(element.options).flatMap(({ value }) => readings(value))
          : element.type === TYPE.tag
            ? readings(element.children)
            : [[null]];
    partialReadings = partialReadings
      .flatMap((before) => options.map((option) => [...before, ...option]))
      .slice(0, 64);
  }
  return partialReadings;
}

const escapePattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Letters that a message needs to be distinct from names and numbers. */
const minLetters = 6;

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

interface Pattern {
  readonly pattern: RegExp;
  /** Longest lower-case literal, a quick test that excludes most patterns. */
  readonly longest: string;
  readonly letters: number;
}

const patternsOf = (text: string): Pattern[] =>
  readings(parse(text)).map((parts) => {
    const literals = parts.filter((part) => part !== null);
    const source = parts.map((part) => (part === null ? '.+?' : escapePattern(part.replaceAll(/\s+/g, ' '))));
    return {
      pattern: new RegExp(`^${source.join('').trim()}[.:]?$`, 'iu'),
      longest: collapseSpaces(literals.reduce((a, b) => (b.length > a.length ? b : a), '')).toLowerCase(),
      letters: literals.join('').replaceAll(/[^\p{L}]/gu, '').length,
    };
  });

const german = new Set(textsOf(de).map((text) => collapseSpaces(text).toLowerCase()));
const patterns = [...textsOf(en), ...Object.values(errorMessages)]
  .filter((text) => !german.has(collapseSpaces(text).toLowerCase()))
  .flatMap(patternsOf)
  .filter(({ letters }) => letters >= minLetters);
const germanPatterns = textsOf(de)
  .flatMap(patternsOf)
  .filter(({ letters }) => letters >= minLetters);

const isOneOf = (text: string, patterns: readonly Pattern[]) => {
  const lower = text.toLowerCase();
  return patterns.some(({ longest, pattern }) => lower.includes(longest) && pattern.test(text));
};

const attributes = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];

/** Texts of elements that contain only text, and of attributes that are visible or announced. */
function serverMessagesIn(root: ParentNode): string[] {
  const lines: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (/^(SCRIPT|STYLE|CODE|PRE)$/.test(element.tagName) || element.closest('code, pre, [lang="en"]'))
      continue;
    if (
      [...element.childNodes].some(
        (node) => node.nodeType === 3 && collapseSpaces(node.textContent ?? '') !== '',
      )
    )
      lines.push(
        collapseSpaces(element.textContent),
        ...[...element.childNodes]
          .filter((node) => node.nodeType === 3)
          .map((node) => collapseSpaces(node.textContent ?? '')),
      );
    for (const name of attributes) lines.push(collapseSpaces(element.getAttribute(name) ?? ''));
  }
  return [...new Set(lines)].filter((text) => text !== '');
}

/** English texts of a page that should be German. */
export function englishIn(root: ParentNode): string[] {
  return serverMessagesIn(root).filter(isEnglish);
}

/** Whether a text is in the English catalogue and not in the German one. */
export function isEnglish(text: string): boolean {
  // English sentences are also found between others: "The file is empty. Try again."
  const pieces = [text, ...text.split(/(?<=[.!?]) /)];
  return pieces.some((piece) => isOneOf(piece, patterns) && !isOneOf(piece, germanPatterns));
}
