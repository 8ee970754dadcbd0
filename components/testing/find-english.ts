import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { errorMessages } from '@/lib/core/reasons/messages';
import { de } from '@/messages/de';
import { en } from '@/messages/en';

/** Finds English texts on a German page: messages of the English catalogue, and messages of the service. */

type CatalogueNode = string | { readonly [key: string]: CatalogueNode };

const textsOf = (node: CatalogueNode): string[] =>
  typeof node === 'string' ? [node] : Object.values(node).flatMap(textsOf);

/**
 * Texts of an ICU message, at most 64: one for each combination of its plural and select options. A text is a list of
 * literals; `null` stands for an inserted value.
 */
function messageVariants(elements: readonly MessageFormatElement[]): (string | null)[][] {
  let partialVariants: (string | null)[][] = [[]];
  for (const element of elements) {
    const options: (string | null)[][] =
      element.type === TYPE.literal
        ? [[element.value]]
        : element.type === TYPE.plural || element.type === TYPE.select
          ? Object.values(element.options).flatMap(({ value }) => messageVariants(value))
          : element.type === TYPE.tag
            ? messageVariants(element.children)
            : [[null]];
    partialVariants = partialVariants
      .flatMap((before) => options.map((option) => [...before, ...option]))
      .slice(0, 64);
  }
  return partialVariants;
}

const escapePattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Minimum number of letters of a message. Shorter messages cannot be distinguished from names and numbers. */
const MIN_LETTERS = 6;

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

interface MessagePattern {
  readonly pattern: RegExp;
  /** Longest literal in lower case. A text without it cannot match, which is a fast test. */
  readonly longestLiteral: string;
  /** Number of letters in the literals. */
  readonly letterCount: number;
}

const patternsOf = (message: string): MessagePattern[] =>
  messageVariants(parse(message)).map((parts) => {
    const literals = parts.filter((part) => part !== null);
    const patternSource = parts.map((part) =>
      part === null ? '.+?' : escapePattern(part.replaceAll(/\s+/g, ' ')),
    );
    return {
      pattern: new RegExp(`^${patternSource.join('').trim()}[.:]?$`, 'iu'),
      longestLiteral: collapseSpaces(
        literals.reduce((a, b) => (b.length > a.length ? b : a), ''),
      ).toLowerCase(),
      letterCount: literals.join('').replaceAll(/[^\p{L}]/gu, '').length,
    };
  });

const germanTexts = new Set(textsOf(de).map((text) => collapseSpaces(text).toLowerCase()));
const englishPatterns = [...textsOf(en), ...Object.values(errorMessages)]
  .filter((text) => !germanTexts.has(collapseSpaces(text).toLowerCase()))
  .flatMap(patternsOf)
  .filter(({ letterCount }) => letterCount >= MIN_LETTERS);
const germanPatterns = textsOf(de)
  .flatMap(patternsOf)
  .filter(({ letterCount }) => letterCount >= MIN_LETTERS);

const matchesOneOf = (text: string, patterns: readonly MessagePattern[]) => {
  const lowerCaseText = text.toLowerCase();
  return patterns.some(
    ({ longestLiteral, pattern }) => lowerCaseText.includes(longestLiteral) && pattern.test(text),
  );
};

const textAttributes = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];

/**
 * Texts of all elements that contain text, and of attributes that are visible or announced by a screen reader. Code is
 * left out.
 */
function readableTextsIn(root: ParentNode): string[] {
  const texts: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (/^(SCRIPT|STYLE|CODE|PRE)$/.test(element.tagName) || element.closest('code, pre, [lang="en"]'))
      continue;
    if (
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && collapseSpaces(node.textContent ?? '') !== '',
      )
    )
      // The text with that of its child elements, and each of its parts between child elements.
      texts.push(
        collapseSpaces(element.textContent),
        ...[...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => collapseSpaces(node.textContent ?? '')),
      );
    for (const name of textAttributes) texts.push(collapseSpaces(element.getAttribute(name) ?? ''));
  }
  return [...new Set(texts)].filter((text) => text !== '');
}

/** English texts of a page that should be German. */
export function findEnglishTexts(root: ParentNode): string[] {
  return readableTextsIn(root).filter(isEnglish);
}

/** Whether a text is a message of the English catalogue or of the service, and not a German message. */
export function isEnglish(text: string): boolean {
  // The sentences are also tested one by one: "The file is empty. Try again."
  const pieces = [text, ...text.split(/(?<=[.!?]) /)];
  return pieces.some((piece) => matchesOneOf(piece, englishPatterns) && !matchesOneOf(piece, germanPatterns));
}
