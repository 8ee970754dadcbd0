/** The language of captions that a viewer chose last, or none: kept in the browser for all videos. */

const STORAGE_KEY = 'headwater.captions';
/** A viewer who wants none. */
const OFF = '';

/** @param language of what was chosen; null = none */
export function prefer(language: string | null): void {
  try {
    localStorage.setItem(STORAGE_KEY, language ?? OFF);
  } catch {
    // No storage in this frame: it is chosen again for the next video.
  }
}

/**
 * Which of these captions the viewer wants: an index, -1 for none of them, null where the video's default counts.
 * @param languages of the text tracks; null = no captions
 */
export function preferredOf(languages: readonly (string | null)[]): number | null {
  const wanted = stored();
  if (wanted === null) return null;
  if (wanted === OFF) return -1;
  const exact = languages.indexOf(wanted);
  if (exact >= 0) return exact;
  // British English for a viewer who chose American.
  const main = (language: string) => language.split('-')[0];
  const similar = languages.findIndex((own) => own !== null && main(own) === main(wanted));
  return similar >= 0 ? similar : null;
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
