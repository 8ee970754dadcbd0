/** A click or tap on the video, not on a control. */
export interface Tap {
  readonly pointer: 'touch' | 'mouse';
  /** Horizontal position as a fraction of the width; 0 is the left edge. */
  readonly xFraction: number;
  /** Timestamp of the event, in milliseconds. */
  readonly time: number;
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
 * What a tap does. `play`: starts or pauses playback. `show`, `hide`: the controls. `back`, `forward`: seeks by a fixed
 * distance.
 */
export type TapAction =
  | 'unmute'
  | 'play'
  | 'fullscreen'
  /** Opens full screen and undoes the play or pause of the first click. */
  | 'undo-and-fullscreen'
  | 'show'
  | 'hide'
  | 'back'
  | 'forward'
  | 'none';

/** Longest time between two taps that are a double tap. */
const DOUBLE_TAP_MS = 300;
/** Fraction of the width at the left and at the right in which a double tap seeks. */
const SIDE_FRACTION = 1 / 3;

type Side = 'back' | 'forward' | null;
const sideOf = ({ xFraction }: Tap): Side =>
  xFraction < SIDE_FRACTION ? 'back' : xFraction > 1 - SIDE_FRACTION ? 'forward' : null;

/**
 * The action of a click or tap. A mouse click plays or pauses. A tap shows or hides the controls, and a second tap at
 * the side seeks. While "Tap to unmute" is shown, the first click or tap only unmutes. The second click of a double
 * click opens full screen and reverts the pause of the first.
 */
export function tapAction(tap: Tap, { unmuteOffered, controls, previous }: TapContext): TapAction {
  if (unmuteOffered) return 'unmute';
  const isDoubleTap = previous !== null && tap.time - previous.tap.time < DOUBLE_TAP_MS;
  if (tap.pointer === 'mouse') return isDoubleTap ? secondClickAction(previous.action) : 'play';
  // The second tap must not revert the unmuting.
  if (isDoubleTap && previous.action === 'unmute') return 'none';
  if (controls === 'none') return 'play';
  const side = sideOf(tap);
  if (isDoubleTap && side !== null && side === sideOf(previous.tap)) return side;
  return controls === 'hidden' ? 'show' : 'hide';
}

function secondClickAction(firstAction: TapAction): TapAction {
  if (firstAction === 'play') return 'undo-and-fullscreen';
  return firstAction === 'unmute' ? 'fullscreen' : 'none';
}
