import { describe, expect, test } from 'vitest';
import { decideKeyAccess, type EndpointAccess, type KeyAccess, keyDisabledReason } from './key-policy';

const pageOrigin = 'https://page.example';
const backendKey: KeyAccess = { allowedOrigins: [], fullAccess: false, scopes: ['all'] };
const fullBackendKey: KeyAccess = { allowedOrigins: [], fullAccess: true, scopes: ['all'] };
const corsKey: KeyAccess = { allowedOrigins: [pageOrigin], fullAccess: false, scopes: ['all'] };
const anyOriginCorsKey: KeyAccess = { allowedOrigins: ['*'], fullAccess: false, scopes: ['all'] };
const fullCorsKey: KeyAccess = { allowedOrigins: [pageOrigin], fullAccess: true, scopes: ['all'] };

const corsEndpoint: EndpointAccess = {
  auth: 'key-or-session',
  corsKeyAllowed: true,
  method: 'GET',
  tag: 'Streams',
};
const backendOnlyEndpoint: EndpointAccess = {
  auth: 'key-or-session',
  corsKeyAllowed: false,
  method: 'GET',
  tag: 'Streams',
};
const dashboardEndpoint: EndpointAccess = {
  auth: 'session',
  corsKeyAllowed: false,
  method: 'GET',
  tag: 'Streams',
};

const originRejection = /^credential disallows CORS access/;
const corsRejection = /^access forbidden for CORS-enabled API key/;
const sessionOnlyRejection = /^access forbidden for API keys/;

/**
 * [case, key, endpoint, Origin header, rejection or null, Access-Control-Allow-Origin]. `server`: no Origin header. `own
 * page`: an origin that the key allows. `opaque page`: the origin `null`. `listed`: the endpoint has `corsKeyAllowed`.
 */
const accessCases: [string, KeyAccess, EndpointAccess, string | null, RegExp | null, string | null][] = [
  ['backend key, server', backendKey, backendOnlyEndpoint, null, null, null],
  ['backend key, page', backendKey, corsEndpoint, pageOrigin, originRejection, null],
  ['backend key, opaque page', backendKey, corsEndpoint, 'null', originRejection, null],
  ['full backend key, page', fullBackendKey, corsEndpoint, pageOrigin, originRejection, null],
  ['full backend key, server', fullBackendKey, backendOnlyEndpoint, null, null, null],
  ['CORS key, own page, listed', corsKey, corsEndpoint, pageOrigin, null, pageOrigin],
  [
    'CORS key, own page in other spelling',
    corsKey,
    corsEndpoint,
    'HTTPS://page.EXAMPLE:443',
    null,
    'HTTPS://page.EXAMPLE:443',
  ],
  ['CORS key, own page, not listed', corsKey, backendOnlyEndpoint, pageOrigin, corsRejection, pageOrigin],
  ['CORS key, other page', corsKey, corsEndpoint, 'https://other.example', originRejection, null],
  ['CORS key, opaque page', corsKey, corsEndpoint, 'null', originRejection, null],
  ['CORS key, server, listed', corsKey, corsEndpoint, null, null, null],
  ['CORS key, server, not listed', corsKey, backendOnlyEndpoint, null, corsRejection, null],
  [
    'CORS key for any page',
    anyOriginCorsKey,
    corsEndpoint,
    'https://other.example',
    null,
    'https://other.example',
  ],
  ['CORS key for any page, opaque page', anyOriginCorsKey, corsEndpoint, 'null', null, 'null'],
  ['CORS key for any page, not listed', anyOriginCorsKey, backendOnlyEndpoint, 'null', corsRejection, 'null'],
  ['full CORS key, own page, not listed', fullCorsKey, backendOnlyEndpoint, pageOrigin, null, pageOrigin],
  [
    'full CORS key, other page',
    fullCorsKey,
    backendOnlyEndpoint,
    'https://other.example',
    originRejection,
    null,
  ],
  ['full CORS key, server', fullCorsKey, backendOnlyEndpoint, null, null, null],
  [
    'full backend key, endpoint of the dashboard',
    fullBackendKey,
    dashboardEndpoint,
    null,
    sessionOnlyRejection,
    null,
  ],
  [
    'full CORS key, own page, endpoint of the dashboard',
    fullCorsKey,
    dashboardEndpoint,
    pageOrigin,
    sessionOnlyRejection,
    pageOrigin,
  ],
];

describe('decideKeyAccess', () => {
  test.each(accessCases)(
    '%s: rejection $4, Access-Control-Allow-Origin $5',
    (_, key, endpoint, origin, rejection, allowOrigin) => {
      const decision = decideKeyAccess(key, endpoint, origin);
      expect(decision.allowOrigin).toBe(allowOrigin);
      if (rejection === null) expect(decision.rejection).toBeNull();
      else expect(decision.rejection).toMatch(rejection);
    },
  );

  test('a long Origin is truncated in the message', () => {
    expect(
      decideKeyAccess(backendKey, corsEndpoint, `https://${'x'.repeat(5_000)}`).rejection?.length,
    ).toBeLessThan(300);
  });
});

describe('scopes of an API key', () => {
  const keyWithScopes = (scopes: string[]) => ({ ...backendKey, scopes });
  const endpointFor = (method: string, tag: string) => ({ ...backendOnlyEndpoint, method, tag });

  test.each([
    [['all'], 'DELETE', 'Account', null],
    [['read'], 'GET', 'Account', null],
    [['read'], 'POST', 'Streams', 'it needs streams or all'],
    [['streams'], 'POST', 'Multistream', null],
    [['streams'], 'GET', 'Assets', 'it needs read or assets or all'],
    [['streams', 'assets'], 'DELETE', 'Tasks', null],
    [['webhooks'], 'PATCH', 'Account', 'it needs all'],
    [['webhooks', 'read'], 'GET', 'Assets', null],
  ] as const)(
    '%j: the rejection of a %s request to an endpoint with the tag %s is %s',
    (scopes, method, tag, rejection) => {
      const decision = decideKeyAccess(keyWithScopes([...scopes]), endpointFor(method, tag), null);
      const message = `the API key lacks the scope for this: ${rejection}`;
      expect(decision.rejection).toBe(rejection === null ? null : message);
    },
  );

  test('an endpoint for operators requires the scope `all`', () => {
    const endpoint = { ...endpointFor('GET', 'Service'), operatorOnly: true } as const;
    expect(decideKeyAccess(keyWithScopes(['read']), endpoint, null).rejection).toContain('it needs all');
  });
});

test.each([
  [null, null, ['all'], null],
  ['ada', null, ['read'], 'creator_left'],
  ['ada', 'viewer', ['read'], 'creator_role'],
  ['ada', 'developer', ['streams', 'assets'], null],
  ['ada', 'developer', ['read', 'all'], 'creator_role'],
  ['ada', 'admin', ['all'], null],
  ['ada', 'owner', ['all'], null],
] as const)(
  'creator %s, current role %s, scopes %j: the key is disabled with the reason %s',
  (createdBy, creatorRole, scopes, reason) => {
    expect(keyDisabledReason({ createdBy, creatorRole, scopes })).toBe(reason);
  },
);
