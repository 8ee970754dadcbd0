import { expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { nodeOfTeam } from './target-test-request';

const urls = ['http://live-2:4000', 'http://live-1:4000', 'http://live-3:4000'];

test('the tests of a team go to one node, whatever the order of the nodes, and those of 200 teams to all three nodes', () => {
  const teamIds = Array.from({ length: 200 }, newId);
  for (const teamId of teamIds)
    expect(nodeOfTeam([...urls].reverse(), teamId)).toBe(nodeOfTeam(urls, teamId));
  expect(new Set(teamIds.map((teamId) => nodeOfTeam(urls, teamId)))).toEqual(new Set(urls));
  expect(nodeOfTeam([], newId())).toBeUndefined();
});
