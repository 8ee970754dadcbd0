import { describe, expect, test } from 'vitest';
import { registry } from '@/lib/contract/registry';
import { minRole, memberRejection, roleRejection, teamRoles } from './team-roles';

describe('minimum role for an endpoint', () => {
  test.each([
    [{ method: 'GET' }, 'viewer'],
    [{ method: 'POST' }, 'developer'],
    [{ method: 'GET', role: 'developer' }, 'developer'],
    [{ method: 'DELETE', role: 'admin' }, 'admin'],
    [{ method: 'POST', role: 'person' }, null],
    [{ method: 'GET', operatorOnly: true }, null],
  ] as const)('of %j is %s', (endpoint, role) => {
    expect(minRole(endpoint)).toBe(role);
  });

  test('the rejection names the role of the member and the required role', () => {
    const endpoint = { method: 'PATCH', role: 'admin' } as const;
    expect(teamRoles.map((role) => roleRejection(role, endpoint))).toEqual([
      'your role in this team is viewer: this needs the role admin',
      'your role in this team is developer: this needs the role admin',
      null,
      null,
    ]);
  });

  test('every endpoint that changes an account or a team defines a role', () => {
    const endpointsWithoutRole = registry.filter(
      ({ method, tag, role, auth }) =>
        auth !== 'public' && method !== 'GET' && ['Account', 'Teams'].includes(tag) && role === undefined,
    );
    expect(endpointsWithoutRole.map(({ id }) => id)).toEqual([]);
  });
});

describe('rejection of a membership change', () => {
  const promotion: Parameters<typeof memberRejection>[0] = {
    actor: 'owner',
    isSelf: false,
    previousRole: 'developer',
    newRole: 'admin',
    ownerCount: 1,
    isOwnTeam: false,
  };

  test.each([
    ['an owner changes a role', {}, null],
    ['an admin changes a role', { actor: 'admin' }, null],
    ['an admin removes a member', { actor: 'admin', newRole: null }, null],
    ['an admin makes a member owner', { actor: 'admin', newRole: 'owner' }, 'needs_owner'],
    [
      'an admin removes an owner',
      { actor: 'admin', previousRole: 'owner', newRole: null, ownerCount: 2 },
      'needs_owner',
    ],
    ['a developer changes a role', { actor: 'developer' }, 'needs_admin'],
    ['a developer raises their own role', { actor: 'developer', isSelf: true }, 'needs_admin'],
    ['a viewer leaves', { actor: 'viewer', previousRole: 'viewer', isSelf: true, newRole: null }, null],
    ['an admin steps down', { actor: 'admin', previousRole: 'admin', isSelf: true, newRole: 'viewer' }, null],
    ['one of two owners leaves', { previousRole: 'owner', isSelf: true, newRole: null, ownerCount: 2 }, null],
    ['the last owner leaves', { previousRole: 'owner', isSelf: true, newRole: null }, 'last_owner'],
    ['the last owner becomes admin', { previousRole: 'owner', newRole: 'admin' }, 'last_owner'],
    [
      'the owner is removed from the team of their own account',
      { previousRole: 'owner', newRole: null, ownerCount: 2, isOwnTeam: true },
      'own_team',
    ],
  ] as const)('%s: $2', (_, change, rejection) => {
    expect(memberRejection({ ...promotion, ...change })).toBe(rejection);
  });
});
