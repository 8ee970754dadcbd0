/**
 * Smallest width of the stage (the root element of the player), in CSS pixels, with which a control is in the bar; below
 * it, the control is in the settings. The class names of the bar (`@max-[400px]/stage:hidden`) repeat these numbers,
 * because Tailwind finds class names only as text.
 */
export const minStageWidths = {
  captions: 400,
  clip: 640,
  rewind: 640,
  chapters: 640,
  duration: 640,
  latency: 640,
  volume: 640,
  pictureInPicture: 640,
  airplay: 960,
  cast: 960,
  theater: 960,
} as const;

type BarControl = keyof typeof minStageWidths;

/** Below this width of the stage, in CSS pixels, the settings cover the stage: there is no room for a panel above the bar. */
export const SETTINGS_COVER_BELOW = 400;

/**
 * Whether a control is in the settings, because the bar is too narrow for it.
 * @param width width of the stage, in CSS pixels
 */
export const movesToSettings = (control: BarControl, width: number): boolean =>
  width < minStageWidths[control];
