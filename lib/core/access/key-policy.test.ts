import { describe, expect, test } from 'vitest';
import { decideKey, type EndpointAccess, type KeyAccess } from './key-policy';

const page = 'https://page.example';
const backend: KeyAccess = { allowedOrigins: [], fullAccess: false };
const backendFull: KeyAccess = { allowedOrigins: [], fullAccess: true };
const cors: KeyAccess = { allowedOrigins: [page], fullAccess: false };
const corsAny: KeyAccess = { allowedOrigins: ['*'], fullAccess: false };
const corsFull: KeyAccess = { allowedOrigins: [page], fullAccess: true };

const listed: EndpointAccess = { auth: 'key-or-session', corsKeyAllowed: true };
const unlisted: EndpointAccess = { auth: 'key-or-session', corsKeyAllowed: false };
const dashboard: EndpointAccess = { auth: 'session', corsKeyAllowed: false };

const origin = /^credential disallows CORS access/;
const restricted = /^access forbidden for CORS-enabled API key/;
const sessionOnly = /^access forbidden for API keys/;

/** [case, key,  endpoint, Origin, refusal or null, Access-Control-Allow-Origin]. */
const table: [string, KeyAccess, EndpointAccess, string | null, RegExp | null, string | null][] = [
  ['backend key, server', backend, unlisted, null, null, null],
  ['backend key, page', backend, listed, page, origin, null],
  ['backend key, opaque page', backend, listed, 'null', origin, null],
  ['full backend key, page', backendFull, listed, page, origin, null],
  ['full backend key, server', backendFull, unlisted, null, null, null],
  ['CORS key, own page, listed', cors, listed, page, null, page],
  [
    'CORS key, own page in other spelling',
    cors,
    listed,
    'HTTPS://page.EXAMPLE:443',
    null,
    'HTTPS://page.EXAMPLE:443',
  ],
  ['CORS key, own page, not listed', cors, unlisted, page, restricted, page],
  ['CORS key, other page', cors, listed, 'https://other.example', origin, null],
  ['CORS key, opaque page', cors, listed, 'null', origin, null],
  ['CORS key, server, listed', cors, listed, null, null, null],
  ['CORS key, server, not listed', cors, unlisted, null, restricted, null],
  ['CORS key for any page', corsAny, listed, 'https://other.example', null, 'https://other.example'],
  ['CORS key for any page, opaque page', corsAny, listed, 'null', null, 'null'],
  ['CORS key for any page, not listed', corsAny, unlisted, 'null', restricted, 'null'],
  ['full CORS key, own page, not listed', corsFull, unlisted, page, null, page],
  ['full CORS key, other page', corsFull, unlisted, 'https://other.example', origin, null],
  ['full CORS key, server', corsFull, unlisted, null, null, null],
  ['any key on the dashboard', backendFull, dashboard, null, sessionOnly, null],
  ['full CORS key on the dashboard', corsFull, dashboard, page, sessionOnly, page],
];

describe('decideKey', () => {
  test.each(table)('%s', (_, key, endpoint, from, refusal, allowOrigin) => {
    const decision = decideKey(key, endpoint, from);
    expect(decision.allowOrigin).toBe(allowOrigin);
    if (refusal === null) expect(decision.refusal).toBeNull();
    else expect(decision.refusal).toMatch(refusal);
  });

  test('a long Origin is not echoed whole', () => {
    expect(decideKey(backend, listed, `https://${'x'.repeat(5_000)}`).refusal?.length).toBeLessThan(300);
  });
});
