import { describe, expect, test } from 'vitest';
import { decideKeyAccess, type EndpointAccess, type KeyAccess, keyDisabledReason } from './key-policy';

const page = 'https://page.example';
const backend: KeyAccess = { allowedOrigins: [], fullAccess: false, scopes: ['all'] };
const backendFull: KeyAccess = { allowedOrigins: [], fullAccess: true, scopes: ['all'] };
const cors: KeyAccess = { allowedOrigins: [page], fullAccess: false, scopes: ['all'] };
const corsAny: KeyAccess = { allowedOrigins: ['*'], fullAccess: false, scopes: ['all'] };
const corsFull: KeyAccess = { allowedOrigins: [page], fullAccess: true, scopes: ['all'] };

const corsEndpoint: EndpointAccess = {
  auth: 'key-or-session',
  corsKeyAllowed: true,
  method: 'GET',
  tag: 'Streams',
};
const otherEndpoint: EndpointAccess = {
  auth: 'key-or-session',
  corsKeyAllowed: false,
  method: 'GET',
  tag: 'Streams',
};
const dashboard: EndpointAccess = { auth: 'session', corsKeyAllowed: false, method: 'GET', tag: 'Streams' };

const origin = /^credential disallows CORS access/;
const corsRejection = /^access forbidden for CORS-enabled API key/;
const sessionOnly = /^access forbidden for API keys/;

/** [case, key,  endpoint, Origin, rejection or null, Access-Control-Allow-Origin]. */
const table: [string, KeyAccess, EndpointAccess, string | null, RegExp | null, string | null][] = [
  ['backend key, server', backend, otherEndpoint, null, null, null],
  ['backend key, page', backend, corsEndpoint, page, origin, null],
  ['backend key, opaque page', backend, corsEndpoint, 'null', origin, null],
  ['full backend key, page', backendFull, corsEndpoint, page, origin, null],
  ['full backend key, server', backendFull, otherEndpoint, null, null, null],
  ['CORS key, own page, listed', cors, corsEndpoint, page, null, page],
  [
    'CORS key, own page in other spelling',
    cors,
    corsEndpoint,
    'HTTPS://page.EXAMPLE:443',
    null,
    'HTTPS://page.EXAMPLE:443',
  ],
  ['CORS key, own page, not listed', cors, otherEndpoint, page, corsRejection, page],
  ['CORS key, other page', cors, corsEndpoint, 'https://other.example', origin, null],
  ['CORS key, opaque page', cors, corsEndpoint, 'null', origin, null],
  ['CORS key, server, listed', cors, corsEndpoint, null, null, null],
  ['CORS key, server, not listed', cors, otherEndpoint, null, corsRejection, null],
  ['CORS key for any page', corsAny, corsEndpoint, 'https://other.example', null, 'https://other.example'],
  ['CORS key for any page, opaque page', corsAny, corsEndpoint, 'null', null, 'null'],
  ['CORS key for any page, not listed', corsAny, otherEndpoint, 'null', corsRejection, 'null'],
  ['full CORS key, own page, not listed', corsFull, otherEndpoint, page, null, page],
  ['full CORS key, other page', corsFull, otherEndpoint, 'https://other.example', origin, null],
  ['full CORS key, server', corsFull, otherEndpoint, null, null, null],
  ['any key on the dashboard', backendFull, dashboard, null, sessionOnly, null],
  ['full CORS key on the dashboard', corsFull, dashboard, page, sessionOnly, page],
];

describe('decideKeyAccess', () => {
  test.each(table)('decides about this case: %s', (_, key, endpoint, from, rejection, allowOrigin) => {
    const decision = decideKeyAccess(key, endpoint, from);
    expect(decision.allowOrigin).toBe(allowOrigin);
    if (rejection === null) expect(decision.rejection).toBeNull();
    else expect(decision.rejection).toMatch(rejection);
  });

  test('a long Origin is truncated in the message', () => {
    expect(
      decideKeyAccess(backend, corsEndpoint, `https://${'x'.repeat(5_000)}`).rejection?.length,
    ).toBeLessThan(300);
  });
});

describe('scopes of an API key', () => {
  const keyWithScopes = (scopes: string[]) => ({ ...backend, scopes });
  const endpointFor = (method: string, tag: string) => ({ ...otherEndpoint, method, tag });

  test.each([
    [['all'], 'DELETE', 'Account', null],
    [['read'], 'GET', 'Account', null],
    [['read'], 'POST', 'Streams', 'it needs streams or all'],
    [['streams'], 'POST', 'Multistream', null],
    [['streams'], 'GET', 'Assets', 'it needs read or assets or all'],
    [['streams', 'assets'], 'DELETE', 'Tasks', null],
    [['webhooks'], 'PATCH', 'Account', 'it needs all'],
    [['webhooks', 'read'], 'GET', 'Assets', null],
  ] as const)('%j for %s of %s', (scopes, method, tag, rejection) => {
    const decision = decideKeyAccess(keyWithScopes([...scopes]), endpointFor(method, tag), null);
    const message = `the API key lacks the scope for this: ${rejection}`;
    expect(decision.rejection).toBe(rejection === null ? null : message);
  });

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
  'a key created by %s, who is %s today, with the scopes %j is disabled because of %s',
  (createdBy, creatorRole, scopes, reason) => {
    expect(keyDisabledReason({ createdBy, creatorRole, scopes })).toBe(reason);
  },
);
