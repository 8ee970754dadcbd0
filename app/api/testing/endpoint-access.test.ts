import { expect, test } from 'vitest';
import { registry } from '@/lib/contract/registry';
import { decideKey, keyScopes } from '@/lib/core/access/key-policy';
import { leastRole } from '@/lib/core/access/team-roles';
import { endpointsByRole, endpointsByScopes } from './endpoint-access';

/** Groups the endpoints by answer, in the order of the registry. */
function groupAnswers(answers: readonly (readonly [id: string, answer: string])[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const [id, answer] of answers) (lists[answer] ??= []).push(id);
  return lists;
}

const fillLists = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));

test('every endpoint has the listed least role', () => {
  const protectedEndpoints = registry.filter(({ auth }) => auth !== 'public');
  expect(
    groupAnswers(protectedEndpoints.map((endpoint) => [endpoint.id, String(leastRole(endpoint))])),
  ).toEqual(fillLists(endpointsByRole));
});

test('every endpoint has the listed scopes', () => {
  const byKey = registry.filter(({ auth }) => auth === 'key-or-session');
  const enough = byKey.map((endpoint) => {
    const allows = (scope: (typeof keyScopes)[number]) =>
      decideKey({ allowedOrigins: [], fullAccess: false, scopes: [scope] }, endpoint, null).refusal === null;
    return [endpoint.id, keyScopes.filter(allows).join(' ')] as const;
  });
  expect(groupAnswers(enough)).toEqual(fillLists(endpointsByScopes));
});
