import { expect, test } from 'vitest';
import { initialView, stageStateOf } from './playback-view';

const endedStatus = { state: 'ended', endedAt: 1 } as const;
const startingStatus = { state: 'starting' } as const;
const view = { ...initialView(true, startingStatus), phase: 'reconnecting' } as const;

test('for a stream that is known to be offline, the stage shows the status from the page, and "offline" instead of "reconnecting"', () => {
  expect(stageStateOf(view, false, endedStatus)).toEqual({ phase: 'offline', publicStatus: endedStatus });
});

test.each([true, undefined])(
  'with live = %s, the stage shows the phase and the status that the player has found',
  (live) => {
    expect(stageStateOf(view, live, endedStatus)).toEqual({
      phase: 'reconnecting',
      publicStatus: startingStatus,
    });
  },
);
