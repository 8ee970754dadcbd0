export const mask = '***';

/** A URL as it may be shown: its query and fragment, which may hold a signature or a token, are masked. */
export function maskedUrl(url: string): string {
  return url.replace(/[?#].*$/s, `?${mask}`);
}
