import { describe, expect, test } from 'vitest';
import { invitationState, signUpRejection } from './invitation-state';

const now = new Date('2026-03-10T12:00:00Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

test.each([
  ['open', { expiresAt: after, usedAt: null, revokedAt: null }],
  ['expired', { expiresAt: now, usedAt: null, revokedAt: null }],
  ['used', { expiresAt: after, usedAt: before, revokedAt: null }],
  ['used', { expiresAt: before, usedAt: before, revokedAt: null }],
  ['revoked', { expiresAt: after, usedAt: null, revokedAt: before }],
  ['revoked', { expiresAt: before, usedAt: null, revokedAt: before }],
] as const)('an invitation is %s with the facts %j', (state, facts) => {
  expect(invitationState(facts, now)).toBe(state);
});

describe('sign-up', () => {
  const ada = 'ada@example.com';
  const openInvitation = { state: 'open', email: null } as const;
  const invitationForAda = { state: 'open', email: ada } as const;
  const unknownInvitation = { state: 'unknown', email: null } as const;

  test.each([
    ['open', null, ada, null],
    ['open', openInvitation, ada, null],
    ['open', unknownInvitation, ada, 'invitation_invalid'],
    ['invite', null, ada, 'invitation_missing'],
    ['invite', null, null, 'invitation_missing'],
    ['invite', openInvitation, ada, null],
    ['invite', openInvitation, null, null],
    ['invite', invitationForAda, ada, null],
    ['invite', invitationForAda, null, null],
    ['invite', invitationForAda, 'eve@example.com', 'other_address'],
    ['invite', unknownInvitation, ada, 'invitation_invalid'],
    ['invite', { state: 'used', email: null }, ada, 'invitation_invalid'],
    ['invite', { state: 'revoked', email: ada }, ada, 'invitation_invalid'],
    ['invite', { state: 'expired', email: null }, null, 'invitation_invalid'],
    ['closed', null, ada, 'closed'],
    ['closed', openInvitation, ada, 'closed'],
  ] as const)(
    'in the mode %s with the invitation %j and the address %s: rejection %s',
    (mode, invitation, email, rejection) => {
      expect(signUpRejection({ mode, invitation, email })).toBe(rejection);
    },
  );
});
