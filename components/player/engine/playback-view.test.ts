import { expect, test } from 'vitest';
import { firstView, stageStateOf } from './playback-view';

const ended = { state: 'ended', endedAt: 1 } as const;
const starting = { state: 'starting' } as const;
const view = { ...firstView(true, starting), phase: 'reconnecting' } as const;

test('the stage of a stream that is known to be offline shows the reason of the page instead of reconnecting', () => {
  expect(stageStateOf(view, false, ended)).toEqual({ phase: 'offline', broadcast: ended });
});

test.each([true, undefined])(
  'with live = %s, the stage shows the state that the player has found',
  (live) => {
    expect(stageStateOf(view, live, ended)).toEqual({ phase: 'reconnecting', broadcast: starting });
  },
);
