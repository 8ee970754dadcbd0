import { expect, test } from 'vitest';
import { setupProgress } from './first-steps';

// The third step, to watch and share the stream, is never counted as completed.
test.each([
  [{ streamCreated: false, videoReceived: false }, 0],
  [{ streamCreated: true, videoReceived: false }, 1],
  [{ streamCreated: true, videoReceived: true }, 2],
])('the setup %j has %i of 3 completed steps', (setup, completedCount) => {
  expect(setupProgress(setup)).toEqual({ done: completedCount, total: 3 });
});
