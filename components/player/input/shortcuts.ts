/** Command of a keyboard shortcut. */
export type PlayerCommand =
  /** Toggles playback, the sound, the captions or a display mode. */
  | { readonly name: 'toggle-play' | 'mute' | 'captions' | 'fullscreen' | 'theater' | 'picture-in-picture' }
  /** Shows the list of shortcuts. */
  | { readonly name: 'help' }
  /** Seeks to an end of the seekable range; the end of a live stream is its live edge. */
  | { readonly name: 'seek-to-start' | 'seek-to-end' }
  /** Seeks relative to the current position: back if negative. */
  | { readonly name: 'seek'; readonly offsetSeconds: number }
  /** Seeks to a fraction of the seekable range, from 0 to 1. */
  | { readonly name: 'seek-to'; readonly fraction: number }
  /** Changes the volume or the speed by one step: 1 is up, -1 is down. */
  | { readonly name: 'volume' | 'speed'; readonly direction: 1 | -1 };

/** Seek distance of the arrow keys. */
const ARROW_SEEK_S = 5;
/** Seek distance of the keys J and L, of double taps and of the skip buttons. */
export const LONG_SEEK_S = 10;

const digitCommands = Object.fromEntries(
  Array.from({ length: 10 }, (_, digit) => [
    String(digit),
    { name: 'seek-to', fraction: digit / 10 } satisfies PlayerCommand,
  ]),
);

/** Commands by the `key` of a keyboard event, letters in lower case; shortcut-labels.ts has their labels. */
export const commandsByKey: Readonly<Record<string, PlayerCommand>> = {
  ' ': { name: 'toggle-play' },
  k: { name: 'toggle-play' },
  ArrowLeft: { name: 'seek', offsetSeconds: -ARROW_SEEK_S },
  ArrowRight: { name: 'seek', offsetSeconds: ARROW_SEEK_S },
  j: { name: 'seek', offsetSeconds: -LONG_SEEK_S },
  l: { name: 'seek', offsetSeconds: LONG_SEEK_S },
  ...digitCommands,
  Home: { name: 'seek-to-start' },
  End: { name: 'seek-to-end' },
  ArrowUp: { name: 'volume', direction: 1 },
  ArrowDown: { name: 'volume', direction: -1 },
  m: { name: 'mute' },
  c: { name: 'captions' },
  '<': { name: 'speed', direction: -1 },
  '>': { name: 'speed', direction: 1 },
  f: { name: 'fullscreen' },
  t: { name: 'theater' },
  p: { name: 'picture-in-picture' },
  '?': { name: 'help' },
};

/**
 * Command of a key, or undefined for a key without a command. The caller ignores keys with Ctrl, Alt or Meta; Shift is part
 * of `key`, as in `<` and `?`.
 * @param key `key` of a keyboard event
 */
export function commandOf(key: string): PlayerCommand | undefined {
  // Names of special keys, such as "ArrowLeft", keep their case.
  const normalizedKey = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(commandsByKey, normalizedKey) ? commandsByKey[normalizedKey] : undefined;
}
