import { expect, test } from 'vitest';
import { tapAction, type Tap, type TapAction, type TapContext } from './tap';

const createTap = (pointer: Tap['pointer'], xFraction = 0.5, time = 1000): Tap => ({
  pointer,
  xFraction,
  time,
});
const defaultContext: TapContext = { unmuteOffered: false, controls: 'visible', previous: null };
/** The previous tap was 100 ms ago by default, which makes the next one a double tap. */
const withPreviousTap = (action: TapAction, xFraction: number, time = 900): Partial<TapContext> => ({
  previous: { tap: createTap('touch', xFraction, time), action },
});

test.each<[string, Tap, Partial<TapContext>, TapAction]>([
  ['a click plays or pauses', createTap('mouse'), {}, 'play'],
  ['a click under an offer to unmute unmutes', createTap('mouse'), { unmuteOffered: true }, 'unmute'],
  ['a tap under an offer to unmute unmutes', createTap('touch'), { unmuteOffered: true }, 'unmute'],
  [
    'a double click opens full screen and undoes the pause of its first click',
    createTap('mouse'),
    withPreviousTap('play', 0.5),
    'undo-and-fullscreen',
  ],
  [
    'a double click that unmuted pauses nothing',
    createTap('mouse'),
    withPreviousTap('unmute', 0.5),
    'fullscreen',
  ],
  ['a third click does nothing', createTap('mouse'), withPreviousTap('undo-and-fullscreen', 0.5), 'none'],
  [
    'a double tap that unmuted leaves the controls',
    createTap('touch'),
    withPreviousTap('unmute', 0.5),
    'none',
  ],
  ['a tap shows hidden controls', createTap('touch'), { controls: 'hidden' }, 'show'],
  ['a tap hides visible controls', createTap('touch'), {}, 'hide'],
  ['a tap without controls plays or pauses', createTap('touch'), { controls: 'none' }, 'play'],
  ['a double tap at the left goes back', createTap('touch', 0.1), withPreviousTap('show', 0.2), 'back'],
  [
    'a double tap at the right goes forward',
    createTap('touch', 0.9),
    withPreviousTap('hide', 0.8),
    'forward',
  ],
  ['a third tap goes further', createTap('touch', 0.9), withPreviousTap('forward', 0.8), 'forward'],
  ['a double tap in the middle does not seek', createTap('touch'), withPreviousTap('show', 0.5), 'hide'],
  ['taps on both sides are two taps', createTap('touch', 0.9), withPreviousTap('show', 0.1), 'hide'],
  ['slow taps are two taps', createTap('touch', 0.1), withPreviousTap('show', 0.1, 600), 'hide'],
])('%s', (_name, input, context, action) =>
  expect(tapAction(input, { ...defaultContext, ...context })).toBe(action),
);
