import { expect, test } from 'vitest';
import { admitOidc, oidcReasonOf } from './oidc-admission';

const facts = {
  email: 'ada@example.com',
  emailVerified: true,
  allowedDomains: [],
  mode: 'open',
  account: null,
  invited: false,
} as const;
const linked = { linked: true, suspended: false };
const same = { linked: false, suspended: false };
const domain = ['example.com'];

type Facts = Parameters<typeof admitOidc>[0];

test.each<[string, Partial<Facts>, ReturnType<typeof admitOidc>]>([
  ['a linked subject', { account: linked }, 'sign-in'],
  ['a linked subject without an address', { account: linked, email: null }, 'sign-in'],
  ['a linked subject, closed', { account: linked, mode: 'closed' }, 'sign-in'],
  [
    'a linked subject that was suspended',
    { account: { linked: true, suspended: true } },
    { refused: 'suspended' },
  ],
  [
    'a linked subject of another domain',
    { account: linked, allowedDomains: ['other.test'] },
    { refused: 'domain' },
  ],
  [
    'a linked subject whose domain nobody verified',
    { account: linked, allowedDomains: domain, emailVerified: false },
    { refused: 'unverified' },
  ],
  ['an account with the address', { account: same }, 'link'],
  ['an account with the address, closed', { account: same, mode: 'closed' }, 'link'],
  [
    'an account with an unverified address',
    { account: same, emailVerified: false },
    { refused: 'unverified' },
  ],
  [
    'a suspended account with the address',
    { account: { linked: false, suspended: true } },
    { refused: 'suspended' },
  ],
  ['nobody, open', {}, 'create'],
  ['nobody, unverified', { emailVerified: false }, { refused: 'unverified' }],
  ['nobody, without an address', { email: null }, { refused: 'unverified' }],
  ['nobody, by invitation', { mode: 'invite' }, { refused: 'no_account' }],
  ['nobody, invited', { mode: 'invite', invited: true }, 'create'],
  ['nobody, closed', { mode: 'closed' }, { refused: 'no_account' }],
  ['nobody, closed, with an old invitation', { mode: 'closed', invited: true }, { refused: 'no_account' }],
  ['nobody, closed, of a domain', { mode: 'closed', allowedDomains: domain }, 'create'],
  ['nobody, of another domain', { allowedDomains: ['other.test'] }, { refused: 'domain' }],
  ['a subdomain', { email: 'a@x.example.com', allowedDomains: domain }, { refused: 'domain' }],
  ['a longer domain', { email: 'a@notexample.com', allowedDomains: domain }, { refused: 'domain' }],
])('%s', (_, input, expected) => {
  expect(admitOidc({ ...facts, ...input })).toEqual(expected);
});

test('only reasons of our own get a sentence', () => {
  expect(oidcReasonOf('domain')).toBe('domain');
  expect(oidcReasonOf('OAuthSignin')).toBe('away');
  expect(oidcReasonOf('OAuthCallback')).toBe('failed');
  expect(oidcReasonOf('<b>call this number</b>')).toBeNull();
});
