import { describe, expect, test } from 'vitest';
import { LookupCache } from './lookup-cache';

const clock = { now: () => new Date(0), monotonic: () => 0 };

interface Rules {
  readonly teamId: string;
  readonly version: number;
}

/** Creates a cache of access rules. The test decides when a read ends. */
function createRulesCache() {
  let version = 0;
  const reads: { readonly id: string; readonly end: () => void }[] = [];
  const readRules = (id: string) => {
    const rules: Rules = { teamId: id[0] ?? '', version };
    return new Promise<Rules>((resolve) => {
      reads.push({ id, end: () => resolve(rules) });
    });
  };
  const cache = new LookupCache<Rules>(readRules, clock, { announcedMaxAgeMs: () => 30_000 });
  const find = async (id: string) => {
    const lookup = cache.find(id);
    for (const { end } of reads.splice(0)) end();
    return (await lookup)?.version;
  };
  return { cache, reads, find, change: () => version++ };
}

describe('a change that affects several answers', () => {
  test('checks each cached answer once, and only those that match are read again', async () => {
    const { cache, find, change } = createRulesCache();
    const ids = ['a1', 'b1', 'a2', 'a3'];
    for (const id of ids) await find(id);
    change();
    const checkedTeamIds: string[] = [];
    cache.invalidateWhere(({ teamId }) => {
      checkedTeamIds.push(teamId);
      if (checkedTeamIds.length > ids.length) throw new Error('endless');
      return teamId === 'a';
    });
    expect(checkedTeamIds.toSorted()).toEqual(['a', 'a', 'a', 'b']);
    expect(await Promise.all(ids.map(find))).toEqual([1, 0, 1, 1]);
  });

  test.each([
    ['invalidateWhere', (cache: LookupCache<Rules>) => cache.invalidateWhere(({ teamId }) => teamId === 'a')],
    ['markAllStale', (cache: LookupCache<Rules>) => cache.markAllStale()],
  ])('after %s, the result of a read that was already running is not cached', async (_name, invalidate) => {
    const { cache, reads, find, change } = createRulesCache();
    const earlierRead = cache.find('a1');
    change();
    invalidate(cache);
    for (const { end } of reads.splice(0)) end();
    expect((await earlierRead)?.version).toBe(0);
    expect(await find('a1')).toBe(1);
  });
});
