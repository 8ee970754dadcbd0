/**
 * Parses a URL; null if it is invalid. URL.canParse is not used, because its compiled version in Node 20 rejects letters
 * such as "ü".
 */
export function readUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Normalizes a URL that a person typed or pasted, as browsers do: it is trimmed, spaces in it are encoded, and the scheme is
 * in lower case. Line breaks and tabs in it are kept, so that validation rejects them.
 */
export function cleanUrl(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*(?=:)/i, (scheme) => scheme.toLowerCase())
    .replace(/[^\S\t\n\r]/g, encodeURIComponent);
}
