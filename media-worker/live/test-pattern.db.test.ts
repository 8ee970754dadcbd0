import { describe, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { liveNodesOf, twoSegments } from './testing/live-nodes';

const fixtures = liveFixtures(await testDatabase());
const { db, account, stream, reread, sessionsOf, eventsOf } = fixtures;
const liveNode = liveNodesOf(fixtures);
const teamId = await account();

const until = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const active = (id: string) => until(async () => (await reread(id)).isActive);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

describe('the test pattern', () => {
  const asked = () => stream(teamId, { testPatternUntil: new Date(Date.now() + 60_000) });
  const patternOf = async (id: string) => (await reread(id)).testPatternUntil;

  test('gives way to an encoder, in the same session, and is not started again', async () => {
    const { connect } = await liveNode();
    const row = await asked();
    const pattern = await connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    await active(row.id);
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    expect(await patternOf(row.id)).not.toBeNull();

    const encoder = await connect(row.streamKey);
    expect(pattern?.ended).toBe('replaced');
    expect(await patternOf(row.id)).toBeNull();
    encoder?.send(twoSegments);
    expect(encoder?.ended).toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).toEqual(['stream.started']);
  });

  test('that finds an encoder ends, without a rejection', async () => {
    const { connect } = await liveNode();
    const row = await stream(teamId);
    await connect(row.streamKey);
    await db.stream.update({
      where: { id: row.id },
      data: { testPatternUntil: new Date(Date.now() + 60_000) },
    });
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    await until(async () => (await patternOf(row.id)) === null);
    expect(await namesOf(row.id)).toEqual([]);
  });

  test('of another node gives way to an encoder, too', async () => {
    const [here, there] = [await liveNode(), await liveNode()];
    const row = await asked();
    const pattern = await there.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    await active(row.id);
    expect(await here.connect(row.streamKey)).not.toBeNull();
    expect(await patternOf(row.id)).toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId, isActive: true });
    await there.control.look();
    expect(pattern?.ended).toBe('cut');
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });
});
