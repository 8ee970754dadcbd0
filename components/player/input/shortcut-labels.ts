interface ShortcutLabel {
  /** As printed on keys. */
  readonly keys: readonly string[];
  readonly label: string;
}

/** The keys of the player for lists of shortcuts, apart from what they do: the watch page loads lists when asked. */
export const shortcutLabels: readonly ShortcutLabel[] = [
  { keys: ['Space', 'K'], label: 'Play or pause' },
  { keys: ['←', '→'], label: 'Back or forward 5 seconds' },
  { keys: ['J', 'L'], label: 'Back or forward 10 seconds' },
  { keys: ['0', '–', '9'], label: 'Jump to 0 % to 90 %' },
  { keys: ['Home', 'End'], label: 'Jump to the start or the end' },
  { keys: ['↑', '↓'], label: 'Volume up or down' },
  { keys: ['M'], label: 'Mute or unmute' },
  { keys: ['C'], label: 'Captions' },
  { keys: ['<', '>'], label: 'Slower or faster' },
  { keys: ['F'], label: 'Full screen' },
  { keys: ['T'], label: 'Theater mode, on a watch page' },
  { keys: ['P'], label: 'Picture in picture' },
  { keys: ['?'], label: 'Show keyboard shortcuts' },
];
