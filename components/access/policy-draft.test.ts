import { expect, test } from 'vitest';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { playbackPolicyInput } from '@/lib/contract/access/playback-policy';
import { parseContext, draftOf, needsPassword, policyOf } from './policy-draft';

const webhookId = '6b4b8c1e-55a0-4c36-a9a3-6f2f3b1c9d10';

const policies: readonly (PlaybackPolicy | undefined)[] = [
  undefined,
  { type: 'public', allowedOrigins: ['https://example.com'] },
  { type: 'public', allowedCountries: ['AT', 'DE'] },
  { type: 'jwt', blockedCountries: ['FR'], allowedOrigins: ['https://example.com'] },
  { type: 'jwt' },
  { type: 'password', allowedOrigins: ['https://example.com'] },
  {
    type: 'webhook',
    webhookId,
    refreshInterval: 30,
    webhookFallback: 'allow',
    webhookContext: { room: 7 },
  },
];

test.each(policies)('%j is unchanged after saving without edits', (policy) => {
  const requestedPolicy = policyOf(draftOf(policy));
  expect(requestedPolicy).toEqual(policy ?? null);
  if (requestedPolicy) expect(playbackPolicyInput.safeParse(requestedPolicy).success).toBe(true);
});

test('a policy of another type keeps only the origins and countries', () => {
  const webhook = policies.at(-1);
  const draft = { ...draftOf(webhook), type: 'jwt' as const, origins: ['https://example.com'] };
  expect(policyOf(draft)).toEqual({ type: 'jwt', allowedOrigins: ['https://example.com'] });
  expect(policyOf({ ...draft, type: 'public', origins: [] })).toBeNull();
  const limitedDraft = { ...draft, origins: [], countries: { rule: 'block' as const, codes: ['FR'] } };
  expect(policyOf({ ...limitedDraft, type: 'public' })).toEqual({ type: 'public', blockedCountries: ['FR'] });
});

test('a password is sent if it was entered, and required only if none is stored', () => {
  const draft = { ...draftOf(undefined), type: 'password' as const, password: 'open sesame' };
  expect(policyOf(draft)).toEqual({ type: 'password', password: 'open sesame' });
  expect(policyOf({ ...draft, type: 'jwt' })).toEqual({ type: 'jwt' });
  expect(needsPassword(draft, undefined)).toBe(true);
  expect(needsPassword(draft, { type: 'jwt' })).toBe(true);
  expect(needsPassword(draft, { type: 'password' })).toBe(false);
});

test.each([
  ['', undefined],
  [' \n', undefined],
  ['{ "plan": "gold" }', { plan: 'gold' }],
  ['{ "plan"', null],
  ['["gold"]', null],
  ['"gold"', null],
  ['null', null],
  [`{ "plan": "${'x'.repeat(2_048)}" }`, null],
])('the webhook context %j is parsed or rejected', (context, expected) => {
  expect(parseContext({ context })).toEqual(expected);
});
