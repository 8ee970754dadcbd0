import { expect, test } from 'vitest';
import { registry } from '@/lib/contract/registry';
import { decideKeyAccess, keyScopes } from '@/lib/core/access/key-policy';
import { minRole } from '@/lib/core/access/team-roles';
import { endpointsByRole, endpointsByScopes } from './endpoint-access';

/** Groups endpoint ids, in the order of the registry. */
function groupIds(groupsOfIds: readonly (readonly [id: string, group: string])[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const [id, group] of groupsOfIds) (lists[group] ??= []).push(id);
  return lists;
}

const nonEmptyLists = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));

test('every endpoint has the minimum role under which it is listed', () => {
  const protectedEndpoints = registry.filter(({ auth }) => auth !== 'public');
  expect(groupIds(protectedEndpoints.map((endpoint) => [endpoint.id, String(minRole(endpoint))]))).toEqual(
    nonEmptyLists(endpointsByRole),
  );
});

test('every endpoint accepts the scopes under which it is listed', () => {
  const keyEndpoints = registry.filter(({ auth }) => auth === 'key-or-session');
  const scopesOfIds = keyEndpoints.map((endpoint) => {
    const allows = (scope: (typeof keyScopes)[number]) =>
      decideKeyAccess({ allowedOrigins: [], fullAccess: false, scopes: [scope] }, endpoint, null)
        .rejection === null;
    return [endpoint.id, keyScopes.filter(allows).join(' ')] as const;
  });
  expect(groupIds(scopesOfIds)).toEqual(nonEmptyLists(endpointsByScopes));
});
