import type { Translator } from '@/components/i18n/messages';

type ShortcutRow = readonly [keys: readonly string[], label: string];

/** Rows of the help: keys with the label of their command. They are a module of their own, which is loaded on demand. */
export const shortcutRows = (t: Translator<'player.keys'>): readonly ShortcutRow[] => [
  [[t('space'), 'K'], t('play')],
  [['←', '→'], t('seekShort')],
  [['J', 'L'], t('seekLong')],
  [['0', '–', '9'], t('jump')],
  [[t('home'), t('end')], t('ends')],
  [['↑', '↓'], t('volume')],
  [['M'], t('mute')],
  [['C'], t('captions')],
  [['<', '>'], t('speed')],
  [['F'], t('fullScreen')],
  [['T'], t('theater')],
  [['P'], t('pictureInPicture')],
  [['?'], t('help')],
];
