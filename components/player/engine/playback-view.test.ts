import { expect, test } from 'vitest';
import { initialView, stageStateOf } from './playback-view';

const ended = { state: 'ended', endedAt: 1 } as const;
const starting = { state: 'starting' } as const;
const view = { ...initialView(true, starting), phase: 'reconnecting' } as const;

test('for a stream that is known to be offline, the stage shows the status from the page, and "offline" instead of "reconnecting"', () => {
  expect(stageStateOf(view, false, ended)).toEqual({ phase: 'offline', publicStatus: ended });
});

test.each([true, undefined])(
  'with live = %s, the stage shows the phase and the status that the player has found',
  (live) => {
    expect(stageStateOf(view, live, ended)).toEqual({ phase: 'reconnecting', publicStatus: starting });
  },
);
