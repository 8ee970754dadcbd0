/**
 * The URL in a text; null if there is none. Not URL.canParse: in Node 20, once that is compiled, it refuses texts with letters
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
 * A typed or pasted URL as browsers read it: without blanks around it, with those inside encoded, and with its scheme in
 * lower case. Line breaks and tabs inside stay, to be refused.
 */
export function cleanUrl(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*(?=:)/i, (scheme) => scheme.toLowerCase())
    .replace(/[^\S\t\n\r]/g, encodeURIComponent);
}
