import { expect, test } from 'vitest';
import { problemHref } from './fix-button';

test('problems with targets, tasks, quotas and webhooks link to the page where they can be solved', () => {
  // The ID of the target's stream, the task, the quota or the webhook.
  const id = 'an-id';
  expect(problemHref({ kind: 'target', id })).toBe('/streams/an-id');
  expect(problemHref({ kind: 'task', id, assetId: 'its-asset' })).toBe('/assets/its-asset');
  expect(problemHref({ kind: 'quota', id })).toBe('/usage');
  expect(problemHref({ kind: 'webhook', id })).toBe('/developers/webhooks/an-id');
});
