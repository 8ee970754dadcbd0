import { expect, test } from 'vitest';
import { tapAction, type Tap, type TapAction, type TapContext } from './tap';

const tap = (pointer: Tap['pointer'], x = 0.5, time = 1000): Tap => ({ pointer, x, time });
const defaultContext: TapContext = { unmuteOffered: false, controls: 'visible', previous: null };
const withPreviousTap = (action: TapAction, x: number, time = 900): Partial<TapContext> => ({
  previous: { tap: tap('touch', x, time), action },
});

test.each<[string, Tap, Partial<TapContext>, TapAction]>([
  ['a click plays or pauses', tap('mouse'), {}, 'play'],
  ['a click under an offer to unmute unmutes', tap('mouse'), { unmuteOffered: true }, 'unmute'],
  ['a tap under an offer to unmute unmutes', tap('touch'), { unmuteOffered: true }, 'unmute'],
  [
    'a double click opens full screen and plays on',
    tap('mouse'),
    withPreviousTap('play', 0.5),
    'undo-and-fullscreen',
  ],
  ['a double click that unmuted pauses nothing', tap('mouse'), withPreviousTap('unmute', 0.5), 'fullscreen'],
  ['a third click does nothing', tap('mouse'), withPreviousTap('undo-and-fullscreen', 0.5), 'none'],
  ['a double tap that unmuted leaves the controls', tap('touch'), withPreviousTap('unmute', 0.5), 'none'],
  ['a tap shows the controls', tap('touch'), { controls: 'hidden' }, 'show'],
  ['a tap hides them again', tap('touch'), {}, 'hide'],
  ['a tap without controls plays or pauses', tap('touch'), { controls: 'none' }, 'play'],
  ['a double tap at the left goes back', tap('touch', 0.1), withPreviousTap('show', 0.2), 'back'],
  ['a double tap at the right goes forward', tap('touch', 0.9), withPreviousTap('hide', 0.8), 'forward'],
  ['a third tap goes further', tap('touch', 0.9), withPreviousTap('forward', 0.8), 'forward'],
  ['a double tap in the middle seeks nowhere', tap('touch'), withPreviousTap('show', 0.5), 'hide'],
  ['taps on both sides are two taps', tap('touch', 0.9), withPreviousTap('show', 0.1), 'hide'],
  ['slow taps are two taps', tap('touch', 0.1), withPreviousTap('show', 0.1, 600), 'hide'],
])('%s', (_name, input, context, action) =>
  expect(tapAction(input, { ...defaultContext, ...context })).toBe(action),
);
