/** What a key asks of the player. */
export type PlayerCommand =
  | { readonly name: 'play' | 'mute' | 'captions' | 'fullscreen' | 'theater' | 'picture-in-picture' | 'help' }
  | { readonly name: 'start' | 'end' }
  | { readonly name: 'seek'; readonly seconds: number }
  /** To a share of the length, 0 to 1. */
  | { readonly name: 'seek-to'; readonly share: number }
  | { readonly name: 'volume' | 'speed'; readonly direction: 1 | -1 };

interface Shortcut {
  /** As shown in lists of shortcuts. */
  readonly keys: readonly string[];
  readonly label: string;
  /** By the `key` of the keyboard event, in lower case where it is a letter. */
  readonly commands: Readonly<Record<string, PlayerCommand>>;
}

/** How far an arrow goes, and how far J, L and a double tap go, in seconds. */
export const ARROW_SEEK_S = 5;
export const LONG_SEEK_S = 10;

const digits = Object.fromEntries(
  Array.from({ length: 10 }, (_, digit) => [
    String(digit),
    { name: 'seek-to', share: digit / 10 } satisfies PlayerCommand,
  ]),
);

/** Every key of the player: what it does, and the lists that show it. */
export const playerShortcuts: readonly Shortcut[] = [
  {
    keys: ['Space', 'K'],
    label: 'Play or pause',
    commands: { ' ': { name: 'play' }, k: { name: 'play' } },
  },
  {
    keys: ['←', '→'],
    label: 'Back or forward 5 seconds',
    commands: {
      ArrowLeft: { name: 'seek', seconds: -ARROW_SEEK_S },
      ArrowRight: { name: 'seek', seconds: ARROW_SEEK_S },
    },
  },
  {
    keys: ['J', 'L'],
    label: 'Back or forward 10 seconds',
    commands: {
      j: { name: 'seek', seconds: -LONG_SEEK_S },
      l: { name: 'seek', seconds: LONG_SEEK_S },
    },
  },
  { keys: ['0', '–', '9'], label: 'Jump to 0 % to 90 %', commands: digits },
  {
    keys: ['Home', 'End'],
    label: 'Jump to the start or the end',
    commands: { Home: { name: 'start' }, End: { name: 'end' } },
  },
  {
    keys: ['↑', '↓'],
    label: 'Volume up or down',
    commands: {
      ArrowUp: { name: 'volume', direction: 1 },
      ArrowDown: { name: 'volume', direction: -1 },
    },
  },
  { keys: ['M'], label: 'Mute or unmute', commands: { m: { name: 'mute' } } },
  { keys: ['C'], label: 'Captions', commands: { c: { name: 'captions' } } },
  {
    keys: ['<', '>'],
    label: 'Slower or faster',
    commands: { '<': { name: 'speed', direction: -1 }, '>': { name: 'speed', direction: 1 } },
  },
  { keys: ['F'], label: 'Full screen', commands: { f: { name: 'fullscreen' } } },
  { keys: ['T'], label: 'Theater mode, on a watch page', commands: { t: { name: 'theater' } } },
  { keys: ['P'], label: 'Picture in picture', commands: { p: { name: 'picture-in-picture' } } },
  { keys: ['?'], label: 'Show keyboard shortcuts', commands: { '?': { name: 'help' } } },
];

const byKey: ReadonlyMap<string, PlayerCommand> = new Map(
  playerShortcuts.flatMap(({ commands }) => Object.entries(commands)),
);

/** The command of a key; undefined: the player does not use it. @param key `key` of a keyboard event */
export function commandOf(key: string): PlayerCommand | undefined {
  return byKey.get(key.length === 1 ? key.toLowerCase() : key);
}

/** Speeds that can be chosen. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** The next speed in a direction; the same at either end. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const sorted = direction === 1 ? speeds : speeds.toReversed();
  return sorted.find((each) => (each - speed) * direction > 0) ?? speed;
}
