import { expect, test } from 'vitest';
import { playbackPolicyInput } from './playback-policy';

const problemsOf = (policy: object) =>
  playbackPolicyInput
    .safeParse(policy)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

test('country codes are canonical and unique', () => {
  const policy = { type: 'public', allowedCountries: ['de', ' GB', 'DE'] };
  expect(playbackPolicyInput.parse(policy)).toEqual({ type: 'public', allowedCountries: ['DE', 'GB'] });
});

test.each(['UK', 'Germany', 'EU', '', '*'])(
  '%j is rejected, and the message names the invalid country',
  (code) => {
    expect(problemsOf({ type: 'jwt', blockedCountries: ['FR', code] })).toEqual([
      'blockedCountries.1 must be an ISO 3166-1 alpha-2 country code, for example DE',
    ]);
  },
);

test('allowed and blocked countries exclude each other', () => {
  expect(problemsOf({ type: 'public', allowedCountries: ['DE'], blockedCountries: ['FR'] })).toEqual([
    'blockedCountries is not allowed together with allowedCountries: send one of them',
  ]);
  expect(problemsOf({ type: 'public', allowedCountries: ['DE'], blockedCountries: [] })).toBeUndefined();
});
