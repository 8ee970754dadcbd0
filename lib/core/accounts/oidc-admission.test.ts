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
const linkedAccount = { linked: true, suspended: false };
const sameAddressAccount = { linked: false, suspended: false };
const domain = ['example.com'];

type Facts = Parameters<typeof admitOidc>[0];

test.each<[string, Partial<Facts>, ReturnType<typeof admitOidc>]>([
  ['a linked subject', { account: linkedAccount }, 'sign-in'],
  ['a linked subject without an address', { account: linkedAccount, email: null }, 'sign-in'],
  ['a linked subject, closed', { account: linkedAccount, mode: 'closed' }, 'sign-in'],
  [
    'a linked subject that was suspended',
    { account: { linked: true, suspended: true } },
    { rejected: 'suspended' },
  ],
  [
    'a linked subject of another domain',
    { account: linkedAccount, allowedDomains: ['other.test'] },
    { rejected: 'domain' },
  ],
  [
    'a linked subject with an unverified domain',
    { account: linkedAccount, allowedDomains: domain, emailVerified: false },
    { rejected: 'unverified' },
  ],
  ['an account with the address', { account: sameAddressAccount }, 'link'],
  ['an account with the address, closed', { account: sameAddressAccount, mode: 'closed' }, 'link'],
  [
    'an account with an unverified address',
    { account: sameAddressAccount, emailVerified: false },
    { rejected: 'unverified' },
  ],
  [
    'a suspended account with the address',
    { account: { linked: false, suspended: true } },
    { rejected: 'suspended' },
  ],
  ['no account, open sign-up', {}, 'create'],
  ['no account, unverified address', { emailVerified: false }, { rejected: 'unverified' }],
  ['no account, no address', { email: null }, { rejected: 'unverified' }],
  ['no account, sign-up by invitation', { mode: 'invite' }, { rejected: 'no_account' }],
  ['no account, invited', { mode: 'invite', invited: true }, 'create'],
  ['no account, closed sign-up', { mode: 'closed' }, { rejected: 'no_account' }],
  [
    'no account, closed sign-up, expired invitation',
    { mode: 'closed', invited: true },
    { rejected: 'no_account' },
  ],
  ['no account, closed sign-up, allowed domain', { mode: 'closed', allowedDomains: domain }, 'create'],
  ['no account, another domain', { allowedDomains: ['other.test'] }, { rejected: 'domain' }],
  ['a subdomain', { email: 'a@x.example.com', allowedDomains: domain }, { rejected: 'domain' }],
  [
    'a domain with an additional prefix',
    { email: 'a@notexample.com', allowedDomains: domain },
    { rejected: 'domain' },
  ],
])('admitOidc decides about %s', (_, input, expected) => {
  expect(admitOidc({ ...facts, ...input })).toEqual(expected);
});

test('unknown error codes have no message', () => {
  expect(oidcReasonOf('domain')).toBe('domain');
  expect(oidcReasonOf('OAuthSignin')).toBe('away');
  expect(oidcReasonOf('OAuthCallback')).toBe('failed');
  expect(oidcReasonOf('<b>call this number</b>')).toBeNull();
});
