import { expect, test } from 'vitest';
import { playbackPolicyInput } from './playback-policy';

const issuesOf = (policy: object) =>
  playbackPolicyInput
    .safeParse(policy)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

test('country codes are trimmed, converted to upper case and listed once', () => {
  const policy = { type: 'public', allowedCountries: ['de', ' GB', 'DE'] };
  expect(playbackPolicyInput.parse(policy)).toEqual({ type: 'public', allowedCountries: ['DE', 'GB'] });
});

test.each(['UK', 'Germany', 'EU', '', '*'])(
  'the country code %j is rejected, and the message has its index in the list',
  (code) => {
    expect(issuesOf({ type: 'jwt', blockedCountries: ['FR', code] })).toEqual([
      'blockedCountries.1 must be an ISO 3166-1 alpha-2 country code, for example DE',
    ]);
  },
);

test('a policy has either allowed or blocked countries, and an empty list counts as absent', () => {
  expect(issuesOf({ type: 'public', allowedCountries: ['DE'], blockedCountries: ['FR'] })).toEqual([
    'blockedCountries is not allowed together with allowedCountries: send one of them',
  ]);
  expect(issuesOf({ type: 'public', allowedCountries: ['DE'], blockedCountries: [] })).toBeUndefined();
});
