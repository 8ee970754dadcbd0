import { expect, test } from 'vitest';
import { problemHref } from './fix-button';
import { setupProgress } from './first-steps';

const emptyValues = { streamCreated: false, videoReceived: false, assetReady: false, keyCreated: false };

test.each([
  [emptyValues, 0, false],
  [{ ...emptyValues, streamCreated: true }, 1, false],
  [{ ...emptyValues, streamCreated: true, videoReceived: true }, 3, false],
  [{ ...emptyValues, keyCreated: true }, 1, false],
  [{ streamCreated: true, videoReceived: true, assetReady: true, keyCreated: true }, 5, true],
])('the setup %j has %i of 5 completed steps', (setup, doneCount, complete) => {
  expect(setupProgress(setup)).toEqual({ done: doneCount, total: 5, complete });
});

test('a problem links to the page where it can be solved', () => {
  const id = 'an-id';
  expect(problemHref({ kind: 'target', id })).toBe('/streams/an-id');
  expect(problemHref({ kind: 'task', id, assetId: 'its-asset' })).toBe('/assets/its-asset');
  expect(problemHref({ kind: 'quota', id })).toBe('/usage');
  expect(problemHref({ kind: 'webhook', id })).toBe('/developers/webhooks/an-id');
});
