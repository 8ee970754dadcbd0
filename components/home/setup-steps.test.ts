import { expect, test } from 'vitest';
import { problemHref } from './fix-button';
import { setupProgress } from './first-steps';

test.each([
  [{ streamCreated: false, videoReceived: false }, 0],
  [{ streamCreated: true, videoReceived: false }, 1],
  [{ streamCreated: true, videoReceived: true }, 2],
])('the setup %j has %i of 3 completed steps', (setup, completedCount) => {
  expect(setupProgress(setup)).toEqual({ done: completedCount, total: 3 });
});

test('problems with targets, tasks, quotas and webhooks link to the page where they can be solved', () => {
  const id = 'an-id';
  expect(problemHref({ kind: 'target', id })).toBe('/streams/an-id');
  expect(problemHref({ kind: 'task', id, assetId: 'its-asset' })).toBe('/assets/its-asset');
  expect(problemHref({ kind: 'quota', id })).toBe('/usage');
  expect(problemHref({ kind: 'webhook', id })).toBe('/developers/webhooks/an-id');
});
