import { expect, test } from 'vitest';
import { admitOidc, oidcReasonOf } from './oidc-admission';

const facts = {
  email: 'ada@example.com',
  emailVerified: true,
  allowedDomains: [],
  mode: 'open',
  account: null,
  isInvited: false,
} as const;
const linkedAccount = { isLinked: true, isSuspended: false };
const sameAddressAccount = { isLinked: false, isSuspended: false };
const allowedDomains = ['example.com'];

type Facts = Parameters<typeof admitOidc>[0];

test.each<[string, Partial<Facts>, ReturnType<typeof admitOidc>]>([
  ['a linked subject', { account: linkedAccount }, 'sign-in'],
  ['a linked subject without an address', { account: linkedAccount, email: null }, 'sign-in'],
  ['a linked subject, closed', { account: linkedAccount, mode: 'closed' }, 'sign-in'],
  [
    'a linked subject that was suspended',
    { account: { isLinked: true, isSuspended: true } },
    { rejected: 'suspended' },
  ],
  [
    'a linked subject of another domain',
    { account: linkedAccount, allowedDomains: ['other.test'] },
    { rejected: 'domain' },
  ],
  [
    'a linked subject with an unverified address, allowed domain',
    { account: linkedAccount, allowedDomains, emailVerified: false },
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
    { account: { isLinked: false, isSuspended: true } },
    { rejected: 'suspended' },
  ],
  ['no account, open sign-up', {}, 'create'],
  ['no account, unverified address', { emailVerified: false }, { rejected: 'unverified' }],
  ['no account, no address', { email: null }, { rejected: 'unverified' }],
  ['no account, sign-up by invitation', { mode: 'invite' }, { rejected: 'no_account' }],
  ['no account, invited', { mode: 'invite', isInvited: true }, 'create'],
  ['no account, closed sign-up', { mode: 'closed' }, { rejected: 'no_account' }],
  ['no account, closed sign-up, invited', { mode: 'closed', isInvited: true }, { rejected: 'no_account' }],
  ['no account, closed sign-up, allowed domain', { mode: 'closed', allowedDomains }, 'create'],
  ['no account, another domain', { allowedDomains: ['other.test'] }, { rejected: 'domain' }],
  ['a subdomain', { email: 'a@x.example.com', allowedDomains }, { rejected: 'domain' }],
  [
    'a domain with an additional prefix',
    { email: 'a@notexample.com', allowedDomains },
    { rejected: 'domain' },
  ],
])('the admission of %s is $2', (_, input, expected) => {
  expect(admitOidc({ ...facts, ...input })).toEqual(expected);
});

test('error codes of this service and of next-auth have a reason, other texts have none', () => {
  expect(oidcReasonOf('domain')).toBe('domain');
  expect(oidcReasonOf('OAuthSignin')).toBe('away');
  expect(oidcReasonOf('OAuthCallback')).toBe('failed');
  expect(oidcReasonOf('<b>call this number</b>')).toBeNull();
});
