import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { AuditEntry } from '@/lib/contract/accounts/account';
import { describeAction, describeActor, describeAgent, objectHref } from './audit-text';

const t = englishMessages('settings.auditText');

test.each([
  ['stream.created', 'Stream created'],
  ['stream.key-rotated', 'Stream key rotated'],
  ['stream.suspended', 'Stream suspended'],
  ['stream.recording-switched-on', 'Stream recording switched on'],
  ['account.sessions-ended', 'Logged out everywhere'],
  ['api-key.revealed', 'API key revealed'],
  ['webhook.switched-off', 'Webhook switched off'],
  ['account.signed-in', 'Logged in'],
  ['account.sign-in-refused', 'Login failed'],
  ['target.tested', 'Target tested'],
  ['stream.slate-picture-uploaded', 'Slate picture uploaded'],
  ['brand.logo-uploaded', 'Viewer page logo uploaded'],
  ['account.target-url-tested', 'Target URL tested'],
  ['account.password-changed', 'Account password changed'],
  ['unknown', 'Unknown'],
])('%s is described as “%s”', (action, text) => expect(describeAction(t, action)).toBe(text));

test('every action that the service records has a message', () => {
  const path = join(import.meta.dirname, '../../lib/domain/audit/record-audit.ts');
  // The actions are a union of string literals, one in each line: `| 'stream.created'`.
  const actions = [...readFileSync(path, 'utf8').matchAll(/\| '([a-z-]+\.[a-z-]+)'/g)].map(
    ([, action]) => action,
  );
  expect(actions).toContain('webhook.switched-off');
  for (const action of actions)
    expect(t.has(`action.${action}` as 'action.stream.created'), action).toBe(true);
});

const entry = { email: null, keyId: null, keyName: null } as AuditEntry;

test('the actor of an entry is the member, the API key, or how a visitor logged in', () => {
  expect(describeActor(t, { ...entry, actor: 'session' })).toBe('You, in a browser');
  const email = 'eve@example.com';
  expect(describeActor(t, { ...entry, actor: 'session', email })).toBe(email);
  expect(describeActor(t, { ...entry, actor: 'key', keyId: 'k', keyName: 'Website' })).toBe(
    'API key “Website”',
  );
  const keyId = '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
  expect(describeActor(t, { ...entry, actor: 'key', keyId })).toBe('Deleted API key 5d0f0f0e');
  const visitor = { ...entry, actor: 'visitor' } as const;
  expect(describeActor(t, { ...visitor, action: 'account.signed-in' })).toBe('You, with your password');
  expect(describeActor(t, { ...visitor, action: 'account.sign-in-refused' })).toBe('Someone logging in');
});

test('an object has a link to its page, unless it has no page or is deleted', () => {
  expect(objectHref({ action: 'stream.updated', objectId: 'a' })).toBe('/streams/a');
  expect(objectHref({ action: 'webhook.tested', objectId: 'a' })).toBe('/developers/webhooks/a');
  expect(objectHref({ action: 'stream.deleted', objectId: 'a' })).toBeNull();
  expect(objectHref({ action: 'api-key.created', objectId: 'a' })).toBeNull();
  expect(objectHref({ action: 'stream.updated', objectId: null })).toBeNull();
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0', 'Firefox on Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, ''],
])('the user agent “%s” is described as “%s”', (userAgent, text) =>
  expect(describeAgent(t, userAgent)).toBe(text),
);
