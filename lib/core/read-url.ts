/**
 * Parses a URL; null for an invalid one. Not URL.canParse: in Node 20, its compiled version rejects letters such as "ü".
 */
export function readUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * A typed or pasted URL as browsers read it: trimmed, with inner blanks encoded and the scheme in lower case. Line breaks
 * and tabs inside are kept, so that validation rejects them.
 */
export function cleanUrl(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*(?=:)/i, (scheme) => scheme.toLowerCase())
    .replace(/[^\S\t\n\r]/g, encodeURIComponent);
}
