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

test.each(policies)('the policy %j is unchanged after saving without edits', (policy) => {
  const requestedPolicy = policyOf(draftOf(policy));
  expect(requestedPolicy).toEqual(policy ?? null);
  if (requestedPolicy) expect(playbackPolicyInput.safeParse(requestedPolicy).success).toBe(true);
});

test('after the type changes, only origins and countries are kept; without them, a public policy becomes null', () => {
  const webhookPolicy = policies.at(-1);
  const draft = { ...draftOf(webhookPolicy), type: 'jwt' as const, origins: ['https://example.com'] };
  expect(policyOf(draft)).toEqual({ type: 'jwt', allowedOrigins: ['https://example.com'] });
  expect(policyOf({ ...draft, type: 'public', origins: [] })).toBeNull();
  const blockedCountryDraft = { ...draft, origins: [], countries: { rule: 'block' as const, codes: ['FR'] } };
  expect(policyOf({ ...blockedCountryDraft, type: 'public' })).toEqual({
    type: 'public',
    blockedCountries: ['FR'],
  });
});

test('an entered password is sent only with a password policy', () => {
  const draft = { ...draftOf(undefined), type: 'password' as const, password: 'open sesame' };
  expect(policyOf(draft)).toEqual({ type: 'password', password: 'open sesame' });
  expect(policyOf({ ...draft, type: 'jwt' })).toEqual({ type: 'jwt' });
});

test('a password policy requires a password only if none is stored', () => {
  expect(needsPassword({ type: 'password' }, undefined)).toBe(true);
  expect(needsPassword({ type: 'password' }, { type: 'jwt' })).toBe(true);
  expect(needsPassword({ type: 'password' }, { type: 'password' })).toBe(false);
  expect(needsPassword({ type: 'jwt' }, undefined)).toBe(false);
});

test.each([
  ['', undefined],
  [' \n', undefined],
  ['{ "plan": "gold" }', { plan: 'gold' }],
])('the webhook context %j is parsed as %j', (context, expected) => {
  expect(parseContext({ context })).toEqual(expected);
});

test.each([
  ['incomplete JSON', '{ "plan"'],
  ['an array', '["gold"]'],
  ['a string', '"gold"'],
  ['null', 'null'],
  ['an object of more than 2,048 characters', `{ "plan": "${'x'.repeat(2_048)}" }`],
])('%s is rejected as webhook context', (_kind, context) => {
  expect(parseContext({ context })).toBeNull();
});
