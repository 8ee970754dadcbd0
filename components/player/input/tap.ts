/** A click or tap on the video, not on a control. */
export interface Tap {
  readonly pointer: 'touch' | 'mouse';
  /** Horizontal position as a fraction of the width; 0 is the left edge. */
  readonly xFraction: number;
  /** Time of the event: milliseconds since the page was opened (`Event.timeStamp`). */
  readonly timeMs: number;
}

/** State of the player that decides what a tap does. */
export interface TapContext {
  /** Whether "Tap to unmute" is shown. */
  readonly unmuteOffered: boolean;
  /** Whether controls exist and are visible. */
  readonly controls: 'none' | 'hidden' | 'visible';
  /** The previous tap and its action. */
  readonly previous: { readonly tap: Tap; readonly action: TapAction } | null;
}

/**
 * What a tap does. `toggle-play`: starts or pauses playback. `seek-back`, `seek-forward`: seeks by a fixed distance.
 */
export type TapAction =
  | 'unmute'
  | 'toggle-play'
  | 'fullscreen'
  /** Opens full screen, and undoes the play or pause of the first click by toggling it again. */
  | 'toggle-play-and-fullscreen'
  | 'show-controls'
  | 'hide-controls'
  | 'seek-back'
  | 'seek-forward'
  | 'none';

/** Two taps within less than this time are a double tap. */
const DOUBLE_TAP_MS = 300;
/** Fraction of the width at the left and at the right in which a double tap seeks. */
const SIDE_FRACTION = 1 / 3;

/** The seek of a double tap at the side of this tap; null in the middle. */
const seekActionOf = ({ xFraction }: Tap): 'seek-back' | 'seek-forward' | null =>
  xFraction < SIDE_FRACTION ? 'seek-back' : xFraction > 1 - SIDE_FRACTION ? 'seek-forward' : null;

/**
 * The action of a click or tap. A mouse click plays or pauses. A tap shows or hides the controls, and a second tap at
 * the side seeks. While "Tap to unmute" is shown, the first click or tap only unmutes. The second click of a double
 * click opens full screen and reverts the play or pause of the first.
 */
export function tapAction(tap: Tap, { unmuteOffered, controls, previous }: TapContext): TapAction {
  if (unmuteOffered) return 'unmute';
  const isDoubleTap = previous !== null && tap.timeMs - previous.tap.timeMs < DOUBLE_TAP_MS;
  if (tap.pointer === 'mouse') return isDoubleTap ? secondClickAction(previous.action) : 'toggle-play';
  // The second tap must not revert the unmuting.
  if (isDoubleTap && previous.action === 'unmute') return 'none';
  if (controls === 'none') return 'toggle-play';
  const seekAction = seekActionOf(tap);
  if (isDoubleTap && seekAction !== null && seekAction === seekActionOf(previous.tap)) return seekAction;
  return controls === 'hidden' ? 'show-controls' : 'hide-controls';
}

function secondClickAction(firstAction: TapAction): TapAction {
  if (firstAction === 'toggle-play') return 'toggle-play-and-fullscreen';
  return firstAction === 'unmute' ? 'fullscreen' : 'none';
}
