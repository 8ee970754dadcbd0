/** Command of a keyboard shortcut. `play` toggles playback; `start` and `end` seek to the ends of the timeline. */
export type PlayerCommand =
  | { readonly name: 'play' | 'mute' | 'captions' | 'fullscreen' | 'theater' | 'picture-in-picture' | 'help' }
  | { readonly name: 'start' | 'end' }
  | { readonly name: 'seek'; readonly seconds: number }
  /** Position as a fraction of the seekable range, 0 to 1. */
  | { readonly name: 'seek-to'; readonly fraction: number }
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
  ' ': { name: 'play' },
  k: { name: 'play' },
  ArrowLeft: { name: 'seek', seconds: -ARROW_SEEK_S },
  ArrowRight: { name: 'seek', seconds: ARROW_SEEK_S },
  j: { name: 'seek', seconds: -LONG_SEEK_S },
  l: { name: 'seek', seconds: LONG_SEEK_S },
  ...digitCommands,
  Home: { name: 'start' },
  End: { name: 'end' },
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
 * Command of a key, or undefined for a key without a command.
 * @param key `key` of a keyboard event
 */
export function commandOf(key: string): PlayerCommand | undefined {
  // Names of special keys, such as "ArrowLeft", keep their case.
  const normalizedKey = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(commandsByKey, normalizedKey) ? commandsByKey[normalizedKey] : undefined;
}
