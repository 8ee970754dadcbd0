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
