import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { PreviewTokens } from '@/lib/domain/access';
import { getAssetPreview, listAssets } from '.';
import { createAssetFixtures } from './testing/asset-fixtures';

const { db, createTeamContext } = createAssetFixtures(await createTestDatabase());
const startMs = Date.UTC(2026, 0, 1);
let assetCount = 0;

/**
 * Creates assets. `changedAfterMs` is the time of the last status change, in milliseconds after `startMs`; other properties
 * are columns.
 */
async function insertAssets(
  ctx: TeamContext,
  rows: readonly { name: string; changedAfterMs?: number; [column: string]: unknown }[],
) {
  const data = rows.map(({ changedAfterMs = 0, ...row }) => ({
    sourceType: 'directUpload',
    ...row,
    teamId: ctx.actor.teamId,
    playbackId: (assetCount += 1).toString(36).padStart(16, '0'),
    createdAt: new Date(startMs),
    statusUpdatedAt: new Date(startMs + changedAfterMs),
  }));
  await db.asset.createMany({ data });
}

/** Names of the listed assets, in the order of the list. */
const namesOf = async (ctx: TeamContext, query: Parameters<typeof listAssets>[1] = {}) =>
  (await listAssets(ctx, query)).items.map(({ name }) => name);

describe('listAssets', () => {
  test('sorts by the last change, without deleted assets and those of other teams', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    await insertAssets(ctx, [
      { name: 'old' },
      { name: 'new', changedAfterMs: 9 },
      { name: 'middle', changedAfterMs: 5 },
    ]);
    await insertAssets(ctx, [{ name: 'deleted', changedAfterMs: 7, deletedAt: new Date() }]);
    await insertAssets(otherTeam, [{ name: 'of another team', changedAfterMs: 8 }]);
    expect(await namesOf(ctx)).toEqual(['new', 'middle', 'old']);
  });

  test('with `deleted` returns only deleted assets that can be restored, without URLs', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    const ready = { phase: 'ready' };
    await insertAssets(ctx, [
      { name: 'here', ...ready },
      { name: 'yesterday', ...ready, deletedAt: ago(1) },
    ]);
    await insertAssets(ctx, [{ name: 'too late', ...ready, deletedAt: ago(8) }]);
    await insertAssets(ctx, [{ name: 'bytes gone', ...ready, deletedAt: ago(2), bytesRemovedAt: ago(1) }]);
    await insertAssets(otherTeam, [{ name: 'of another team', ...ready, deletedAt: ago(1) }]);
    const { items, total } = await listAssets(ctx, { deleted: '1', count: '1' });
    expect([items.map(({ name }) => name), total]).toEqual([['yesterday'], 1]);
    expect(items[0]).toMatchObject({ status: { phase: 'deleting' } });
    expect(items[0]).not.toHaveProperty('playbackUrl');
    expect(items[0]).not.toHaveProperty('downloadUrl');
    expect((await listAssets(ctx, {})).items[0]).toHaveProperty('playbackUrl');
  });

  test('filters by playback policy; assets without a policy are public', async () => {
    const ctx = await createTeamContext();
    await insertAssets(ctx, [{ name: 'open' }, { name: 'public', playbackPolicy: { type: 'public' } }]);
    await insertAssets(ctx, [{ name: 'signed', playbackPolicy: { type: 'jwt' } }]);
    const findNames = async (policy: string) => (await namesOf(ctx, { policy, order: 'name-false' })).join();
    expect([await findNames('public'), await findNames('jwt'), await findNames('password')]).toEqual([
      'open,public',
      'signed',
      '',
    ]);
  });

  test('sorts by views and by delivered minutes, and returns both unless they are 0', async () => {
    const ctx = await createTeamContext();
    await insertAssets(ctx, [
      { name: 'often', views: 9, deliveredMinutes: 1.004 },
      { name: 'long', views: 2, deliveredMinutes: 50 },
      { name: 'never' },
    ]);
    expect(await namesOf(ctx, { order: 'views-true' })).toEqual(['often', 'long', 'never']);
    const firstPage = await listAssets(ctx, { order: 'deliveredMinutes-true', limit: '2' });
    expect(
      firstPage.items.map(({ name, views, deliveredMinutes }) => [name, views, deliveredMinutes]),
    ).toEqual([
      ['long', 2, 50],
      ['often', 9, 1],
    ]);
    const { items } = await listAssets(ctx, { cursor: firstPage.nextCursor ?? '' });
    expect(items.map(({ name }) => name)).toEqual(['never']);
    expect(items[0]).not.toHaveProperty('views');
    expect(items[0]).not.toHaveProperty('deliveredMinutes');
  });

  test('sorts by the parameter `name`, which is no filter', async () => {
    const ctx = await createTeamContext();
    await insertAssets(ctx, [{ name: 'b' }, { name: 'c' }, { name: 'a' }]);
    expect(await namesOf(ctx, { name: 'asc' })).toEqual(['a', 'b', 'c']);
    expect(await namesOf(ctx, { name: 'b' })).toEqual(['a', 'b', 'c']);
    expect(await namesOf(ctx, { name: 'desc' })).toEqual(['c', 'b', 'a']);
  });

  describe('of three assets', async () => {
    const ctx = await createTeamContext();
    const sourceAssetId = crypto.randomUUID();
    const sourceUrl = 'https://files.example/a.mp4';
    await insertAssets(ctx, [
      { name: 'upload' },
      { name: 'import', sourceType: 'url', sourceUrl, phase: 'ready', cid: 'bafy1' },
      { name: 'transcoded', sourceAssetId, phase: 'ready' },
    ]);
    const { playbackId } = await db.asset.findFirstOrThrow({ where: { name: 'upload' } });

    test.each<[string, Parameters<typeof listAssets>[1], string[]]>([
      ['a playback id', { playbackId }, ['upload']],
      ['a source url', { sourceUrl }, ['import']],
      ['a part of a source url', { sourceUrl: 'https://files.example/' }, []],
      ['a phase', { phase: 'ready' }, ['import', 'transcoded']],
      ['an unknown phase', { phase: 'x' }, []],
      ['a cid', { cid: 'bafy1' }, ['import']],
      ['a phase and a cid', { phase: 'ready', cid: 'bafy1' }, ['import']],
      ['no filter, because all are empty', { phase: '', cid: '' }, ['import', 'transcoded', 'upload']],
      [
        'the id of the input asset',
        { filters: JSON.stringify([{ id: 'sourceAssetId', value: sourceAssetId }]) },
        ['transcoded'],
      ],
    ])('finds assets by %s', async (_, query, expected) => {
      expect((await namesOf(ctx, query)).sort()).toEqual(expected);
    });
  });

  test('finds the clips of the team by the playback id of their source', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const clip = { sourceType: 'clip', clipPlaybackId: 'abcd1234efgh5678' };
    await insertAssets(ctx, [{ name: 'clip', ...clip }, { name: 'upload' }]);
    await insertAssets(otherTeam, [{ name: 'clip of another team', ...clip }]);
    const filters = JSON.stringify([{ id: 'sourcePlaybackId', value: clip.clipPlaybackId }]);
    expect(await namesOf(ctx, { filters })).toEqual(['clip']);
  });

  test('filters and sorts by `updatedAt`, and rejects the name of its column', async () => {
    const ctx = await createTeamContext();
    await insertAssets(ctx, [
      { name: 'a', changedAfterMs: 1 },
      { name: 'b', changedAfterMs: 2 },
      { name: 'c', changedAfterMs: 3 },
    ]);
    const filters = JSON.stringify([{ id: 'updatedAt', value: { gte: startMs + 2 } }]);
    expect(await namesOf(ctx, { filters, order: 'updatedAt-false' })).toEqual(['b', 'c']);
    await expect(listAssets(ctx, { filters: '[{"id":"statusUpdatedAt","value":1}]' })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('pages contain every row once while assets are added; an index has the default order', async () => {
    const ctx = await createTeamContext();
    await insertAssets(
      ctx,
      Array.from({ length: 2_000 }, (_, index) => ({ name: `row ${index}`, changedAfterMs: index % 40 })),
    );
    const listedNames: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof listAssets>> = await listAssets(ctx, {
        limit: '150',
        cursor,
        count: '1',
      });
      listedNames.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
      await insertAssets(ctx, [{ name: 'new', changedAfterMs: 50 }]);
    }
    expect(new Set(listedNames).size).toBe(2_000);
    expect(listedNames).toHaveLength(2_000);

    await db.$executeRaw`analyze "Asset"`;
    const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select * from "Asset" where "teamId" = ${ctx.actor.teamId}::uuid and "deletedAt" is null
      order by "statusUpdatedAt" desc, "createdAt" desc, "id" asc limit 21`;
    const planText = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(planText).toContain('Index Scan');
    expect(planText).not.toContain('Sort');
  });

  test('a search matches parts of names and tags in any case; a tag filter matches the whole tag', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    await insertAssets(ctx, [
      { name: 'The River', changedAfterMs: 4 },
      { name: 'Dawn', tags: ['river', 'morning'], changedAfterMs: 3 },
      { name: 'Dusk', tags: ['riverside'], changedAfterMs: 2 },
      { name: '100 %', tags: ['a_b'], changedAfterMs: 1 },
    ]);
    await insertAssets(otherTeam, [{ name: 'Other river', tags: ['river'] }]);
    expect(await namesOf(ctx, { search: ' RIVER ' })).toEqual(['The River', 'Dawn', 'Dusk']);
    expect(await namesOf(ctx, { tag: 'River' })).toEqual(['Dawn']);
    expect(await namesOf(ctx, { search: '%' })).toEqual(['100 %']);
    expect(await namesOf(ctx, { search: 'a_' })).toEqual(['100 %']);
    expect(await namesOf(ctx, { search: 'river', filters: '[{"id":"name","value":"d"}]' })).toEqual([
      'Dawn',
      'Dusk',
    ]);
    const page = await listAssets(ctx, { search: 'river', count: '1', limit: '1' });
    expect([page.items.length, page.total]).toEqual([1, 3]);
    const nextPage = await listAssets(ctx, { search: 'river', cursor: page.nextCursor ?? '' });
    expect(nextPage.items.map(({ tags }) => tags)).toEqual([['river', 'morning'], ['riverside']]);
  });
});

test('a preview token is issued only for an asset of the team', async () => {
  const createPersonContext = async () => {
    const ctx = await createTeamContext();
    return { ...ctx, actor: { ...ctx.actor, userId: ctx.actor.teamId } };
  };
  const [ctx, otherTeam] = [await createPersonContext(), await createPersonContext()];
  await insertAssets(ctx, [{ name: 'Town hall' }]);
  const { id, playbackId } = (await listAssets(ctx, {})).items[0] ?? expect.unreachable('no asset');
  const { token } = await getAssetPreview(ctx, id);
  expect(new PreviewTokens(ctx).isValid(playbackId, token)).toBe(true);
  await expect(getAssetPreview(otherTeam, id)).rejects.toMatchObject({ code: 'not_found' });
});
