import { readUrl } from './read-url';

/** A part of a text, with a URL if the part is a link. */
export interface TextPart {
  readonly text: string;
  readonly href?: string;
}

const urlPattern = /https?:\/\/[^\s<>"]+/g;
/** Punctuation that ends the sentence rather than the URL. */
const trailingPunctuation = /[.,;:!?'*_]+$/;

/** Splits a plain text into links that start with http:// or https://, and the text between them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  /** Number of characters of the text that the parts cover. */
  let coveredLength = 0;
  for (const match of text.matchAll(urlPattern)) {
    const href = trimLinkEnd(match[0]);
    if (readUrl(href) === null) continue;
    if (match.index > coveredLength) parts.push({ text: text.slice(coveredLength, match.index) });
    parts.push({ text: href, href });
    coveredLength = match.index + href.length;
  }
  if (coveredLength < text.length) parts.push({ text: text.slice(coveredLength) });
  return parts;
}

/**
 * Removes punctuation from the end of a link. A closing bracket belongs to the link only if the link has the
 * opening one.
 */
function trimLinkEnd(link: string): string {
  let href = link.replace(trailingPunctuation, '');
  while (/[)\]]$/.test(href) && hasUnbalancedBracket(href))
    href = href.slice(0, -1).replace(trailingPunctuation, '');
  return href;
}

function hasUnbalancedBracket(href: string): boolean {
  const [opening, closing] = href.endsWith(')') ? ['(', ')'] : ['[', ']'];
  return href.split(closing).length > href.split(opening).length;
}
