/** Device classes of viewers. The few classes do not identify a person. */

export const deviceClasses = ['desktop', 'mobile', 'tablet', 'tv', 'other'] as const;
export const playerNames = [
  'chrome',
  'edge',
  'firefox',
  'safari',
  'opera',
  'samsung',
  'apple',
  'exoplayer',
  'roku',
  'vlc',
  'other',
] as const;

export type DeviceClass = (typeof deviceClasses)[number];
export type PlayerName = (typeof playerNames)[number];

/**
 * Patterns of the User-Agent header; the first one that matches applies. Most TV devices name Android or Linux too; `aft` is
 * the model prefix of Fire TV.
 */
const devicePatterns: readonly (readonly [RegExp, DeviceClass])[] = [
  [/smart-?tv|appletv|apple tv|tizen|web0s|webos|roku|crkey|bravia|googletv|aft[a-z]\b|hbbtv/i, 'tv'],
  [/ipad|tablet|android(?!.*mobile)/i, 'tablet'],
  [/mobi|iphone|ipod|android/i, 'mobile'],
  [/windows|macintosh|mac os x|linux|cros/i, 'desktop'],
];

/** Most browsers name Chrome or Safari too, so these two come last. */
const playerPatterns: readonly (readonly [RegExp, PlayerName])[] = [
  [/roku/i, 'roku'],
  [/vlc/i, 'vlc'],
  [/exoplayer|media3/i, 'exoplayer'],
  [/applecoremedia/i, 'apple'],
  [/\bedg(?:e|a|ios)?\//i, 'edge'],
  [/\bopr\/|opera/i, 'opera'],
  [/samsungbrowser/i, 'samsung'],
  [/firefox|fxios/i, 'firefox'],
  [/chrom(?:e|ium)|crios/i, 'chrome'],
  [/safari/i, 'safari'],
];

const MAX_USER_AGENT_LENGTH = 512;

/**
 * Detects the class of the device and the player of a viewer.
 * @param userAgent the User-Agent header
 */
export function detectDevice(userAgent: string | undefined): {
  readonly device: DeviceClass;
  readonly player: PlayerName;
} {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const find = <Name>(list: readonly (readonly [RegExp, Name])[]) =>
    list.find(([pattern]) => pattern.test(text))?.[1];
  return { device: find(devicePatterns) ?? 'other', player: find(playerPatterns) ?? 'other' };
}
