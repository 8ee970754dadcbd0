import { describe, expect, test } from 'vitest';
import {
  type ViewerRejectionCode,
  countryRejection,
  isRestricted,
  missingProofRejection,
  originOf,
  originRejection,
  ownTokenRejection,
  viewerRejection,
  signedTokenRejection,
  splitPathToken,
} from './playback-policy';

const id = 'abcd1234efgh5678';
/** Unix seconds. */
const NOW = 1_767_225_600;

describe('rejection of a signed token', () => {
  const validClaims = { sub: id, action: 'pull', exp: NOW + 60, video: 'none' };
  test.each<[object, ViewerRejectionCode | null]>([
    [{}, null],
    [{ action: undefined }, null],
    [{ nbf: NOW }, null],
    // The clock of the signer may be five seconds ahead.
    [{ nbf: NOW + 5 }, null],
    [{ action: 'push' }, 'other_action'],
    [{ sub: 'ffff1234efgh5678' }, 'other_playback'],
    [{ sub: undefined }, 'other_playback'],
    [{ sub: [id] }, 'other_playback'],
    [{ exp: undefined }, 'no_expiry'],
    [{ exp: String(NOW + 60) }, 'no_expiry'],
    [{ exp: NOW }, 'expired'],
    [{ exp: NOW - 1 }, 'expired'],
    [{ exp: NaN }, 'expired'],
    [{ nbf: NOW + 6 }, 'not_yet_valid'],
    [{ nbf: 'later' }, 'not_yet_valid'],
    [{ nbf: null }, 'not_yet_valid'],
  ])('with the changed claims %j is %s', (change, rejection) => {
    expect(signedTokenRejection({ ...validClaims, ...change }, id, NOW)).toBe(rejection);
  });
});

describe('rejection of a token of this service', () => {
  const token = { expiresAt: NOW + 60, digest: 'abc', keyId: 'k1' };
  const valid = { now: NOW, revokedDigests: new Set<string>(), keys: [{ id: 'k1', disabled: false }] };
  test.each<[string, object, object, ViewerRejectionCode | null]>([
    ['not expired', {}, {}, null],
    ['expired', { expiresAt: NOW }, {}, 'expired'],
    ['revoked', {}, { revokedDigests: new Set(['abc']) }, 'revoked'],
    ['signed with a disabled key', {}, { keys: [{ id: 'k1', disabled: true }] }, 'key_disabled'],
    ['signed with a deleted key', {}, { keys: [] }, 'unknown_key'],
    ['issued without a key', { keyId: undefined }, { keys: [] }, null],
  ])('that is %s is $3', (_, change, validity, rejection) => {
    const { keyId, ...tokenWithoutKey } = { ...token, ...change };
    expect(
      ownTokenRejection({ ...tokenWithoutKey, ...(keyId ? { keyId } : {}) }, { ...valid, ...validity }),
    ).toBe(rejection);
  });
});

describe('origin', () => {
  const allowedOrigins = ['https://a.example', 'http://localhost:4000'];
  test.each<[origin: string | null, isOwn: boolean, ViewerRejectionCode | null]>([
    ['https://a.example', false, null],
    ['https://A.example:443', false, null],
    ['http://localhost:4000', false, null],
    ['http://a.example', false, 'origin'],
    ['https://a.example.evil', false, 'origin'],
    ['https://sub.a.example', false, 'origin'],
    ['null', false, 'origin'],
    [null, false, 'origin'],
    ['http://localhost:3000', true, null],
  ])('of a page at %s (a page of this service: %s): rejection %s', (origin, isOwn, rejection) => {
    expect(originRejection({ type: 'public', allowedOrigins }, { origin, isOwn })).toBe(rejection);
    expect(originRejection({ type: 'public' }, { origin, isOwn })).toBeNull();
    expect(originRejection({ type: 'jwt', allowedOrigins: ['*'] }, { origin, isOwn })).toBeNull();
  });

  test.each([
    ['https://a.example', 'https://b.example/x', 'https://a.example'],
    [undefined, 'https://b.example:8443/x?y=https://c.example', 'https://b.example:8443'],
    [undefined, 'https://user@b.example/', null],
    ['null', 'https://b.example/x', null],
    [undefined, 'about:blank', null],
    [undefined, undefined, null],
  ])(
    'of a request with the Origin header %s and the Referer header %s is %s',
    (origin, referer, expected) => {
      expect(originOf(origin, referer)).toBe(expected);
    },
  );
});

describe('country', () => {
  test.each<[string | null | undefined, ViewerRejectionCode | null, ViewerRejectionCode | null]>([
    ['DE', null, 'country'],
    ['AT', null, 'country'],
    ['FR', 'country', null],
    [null, 'country_unknown', null],
    [undefined, 'country_unknown', 'country_unknown'],
  ])(
    '%s: rejection %s if only DE and AT are allowed, %s if they are blocked',
    (country, rejectionIfAllowed, rejectionIfBlocked) => {
      const countries = ['DE', 'AT'];
      expect(countryRejection({ type: 'public', allowedCountries: countries }, country)).toBe(
        rejectionIfAllowed,
      );
      expect(countryRejection({ type: 'jwt', blockedCountries: countries }, country)).toBe(
        rejectionIfBlocked,
      );
      expect(countryRejection({ type: 'jwt' }, country)).toBeNull();
      const unrestricted = { type: 'public', allowedCountries: [], blockedCountries: [] } as const;
      expect(countryRejection(unrestricted, country)).toBeNull();
    },
  );
});

test('a policy is restricted if it has a type other than public, or limits origins or countries', () => {
  expect(isRestricted({ type: 'public' })).toBe(false);
  expect(isRestricted({ type: 'public', allowedOrigins: ['*'] })).toBe(false);
  expect(isRestricted({ type: 'public', allowedOrigins: ['https://a.example'] })).toBe(true);
  expect(isRestricted({ type: 'public', allowedCountries: ['DE'] })).toBe(true);
  expect(isRestricted({ type: 'public', blockedCountries: ['DE'] })).toBe(true);
  expect(isRestricted({ type: 'public', allowedCountries: [], blockedCountries: [] })).toBe(false);
  for (const type of ['jwt', 'webhook', 'password'] as const) expect(isRestricted({ type })).toBe(true);
});

test('a viewer without a proof is rejected with a code for the type of the policy', () => {
  expect(
    (['public', 'jwt', 'webhook', 'password'] as const).map((type) => missingProofRejection({ type })),
  ).toEqual([null, 'token_required', 'access_key_required', 'password_required']);
});

test('a rejection has an HTTP status and a message', () => {
  expect(viewerRejection('webhook_unreachable').status).toBe(502);
  expect(viewerRejection('expired')).toMatchObject({ status: 403, message: 'The token has expired.' });
});

describe('splitPathToken', () => {
  const token = `Q${'a-_9'.repeat(10)}`;
  test.each([
    [`/${id}/~${token}/index.m3u8`, token, `/${id}/index.m3u8`],
    [`/${id}/~${token}/source/1.m4s`, token, `/${id}/source/1.m4s`],
    [`/${id}/index.m3u8`, null, `/${id}/index.m3u8`],
    // Folders of renditions, whose names begin with a space and with an umlaut.
    [`/${id}/~20${'a'.repeat(50)}/index.m3u8`, null, `/${id}/~20${'a'.repeat(50)}/index.m3u8`],
    [`/${id}/~C3~A4/1.m4s`, null, `/${id}/~C3~A4/1.m4s`],
    // Tokens that are too short, too long, missing, misplaced, repeated, or have invalid characters.
    [`/${id}/~Qabc/index.m3u8`, null, `/${id}/~Qabc/index.m3u8`],
    [`/${id}/~Q${'a'.repeat(1_100)}/index.m3u8`, null, `/${id}/~Q${'a'.repeat(1_100)}/index.m3u8`],
    [`/${id}/~${token}`, null, `/${id}/~${token}`],
    [`/${id}/source/~${token}/1.m4s`, null, `/${id}/source/~${token}/1.m4s`],
    [`/${id}/~${token}%2f../index.m3u8`, null, `/${id}/~${token}%2f../index.m3u8`],
    [`/${id}/~${token}/../x/index.m3u8`, token, `/${id}/../x/index.m3u8`],
    [`/${id}/~${token}/~${token}/index.m3u8`, token, `/${id}/~${token}/index.m3u8`],
  ])('splits the path %s into the token %s and the path %s', (path, expectedToken, pathWithoutToken) => {
    expect(splitPathToken(path)).toEqual({ id, token: expectedToken, pathWithoutToken });
  });

  test.each(['', '/', '//x', `/${id}`, 'abc/def'])('splitPathToken(%j) returns null', (path) => {
    expect(splitPathToken(path)).toBeNull();
  });
});
