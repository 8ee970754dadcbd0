import { expect, test } from 'vitest';
import { tapAction, type Tap, type TapAction, type TapContext } from './tap';

const createTap = (pointer: Tap['pointer'], xFraction = 0.5, timeMs = 1000): Tap => ({
  pointer,
  xFraction,
  timeMs,
});
const defaultContext: TapContext = { unmuteOffered: false, controls: 'visible', previous: null };
/** The previous tap was 100 ms ago by default, which makes the next one a double tap. */
const after = (
  pointer: Tap['pointer'],
  action: TapAction,
  { xFraction = 0.5, timeMs = 900 } = {},
): Partial<TapContext> => ({ previous: { tap: createTap(pointer, xFraction, timeMs), action } });

const click = createTap('mouse');
const [leftTap, middleTap, rightTap] = [createTap('touch', 0.1), createTap('touch'), createTap('touch', 0.9)];

test.each<[string, Tap, Partial<TapContext>, TapAction]>([
  ['a click plays or pauses', click, {}, 'toggle-play'],
  ['a click under an offer to unmute unmutes', click, { unmuteOffered: true }, 'unmute'],
  ['a tap under an offer to unmute unmutes', middleTap, { unmuteOffered: true }, 'unmute'],
  [
    'the second click of a double click opens full screen and undoes the play or pause of the first',
    click,
    after('mouse', 'toggle-play'),
    'toggle-play-and-fullscreen',
  ],
  ['the second click after an unmute only opens full screen', click, after('mouse', 'unmute'), 'fullscreen'],
  ['a third click does nothing', click, after('mouse', 'toggle-play-and-fullscreen'), 'none'],
  [
    'the second tap after an unmute does not change the controls',
    middleTap,
    after('touch', 'unmute'),
    'none',
  ],
  ['a tap shows hidden controls', middleTap, { controls: 'hidden' }, 'show-controls'],
  ['a tap hides visible controls', middleTap, {}, 'hide-controls'],
  ['a tap without controls plays or pauses', middleTap, { controls: 'none' }, 'toggle-play'],
  [
    'a double tap at the left seeks back',
    leftTap,
    after('touch', 'show-controls', { xFraction: 0.2 }),
    'seek-back',
  ],
  [
    'a double tap at the right seeks forward',
    rightTap,
    after('touch', 'hide-controls', { xFraction: 0.8 }),
    'seek-forward',
  ],
  [
    'a third tap at the right seeks forward again',
    rightTap,
    after('touch', 'seek-forward', { xFraction: 0.8 }),
    'seek-forward',
  ],
  ['a double tap in the middle does not seek', middleTap, after('touch', 'show-controls'), 'hide-controls'],
  [
    'taps on both sides are two single taps',
    rightTap,
    after('touch', 'show-controls', { xFraction: 0.1 }),
    'hide-controls',
  ],
  [
    'taps 400 ms apart are two single taps',
    leftTap,
    after('touch', 'show-controls', { xFraction: 0.1, timeMs: 600 }),
    'hide-controls',
  ],
])('%s', (_title, tap, context, action) =>
  expect(tapAction(tap, { ...defaultContext, ...context })).toBe(action),
);
