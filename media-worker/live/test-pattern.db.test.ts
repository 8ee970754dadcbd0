import { afterEach, describe, expect, test } from 'vitest';
import type { PublishSource } from '@/lib/core/streams/publish-admission';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { recordProgress } from '@/lib/streams';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { createAdmitPublish } from './admit-publish';
import { LiveSessions } from './live-sessions';
import { ProgressMeter } from './progress-meter';
import { FakeConnection } from './testing/fake-connection';
import { steadyFrames, videoConfig } from '@/media-worker/packaging/testing/synthetic-packets';

const { ctx, db, account, stream, node, reread, sessionsOf, eventsOf } = liveFixtures(await testDatabase());
const userId = await account();
const open: LiveSessions[] = [];
afterEach(() => Promise.all(open.splice(0).map((sessions) => sessions.close())));

async function liveNode() {
  const nodeId = await node();
  const now = () => performance.now();
  const meter = new ProgressMeter((progress) => recordProgress(ctx, progress), ctx.clock);
  const sessions = new LiveSessions({ ctx, nodeId, meter, companions: [] });
  open.push(sessions);
  const admit = createAdmitPublish(ctx, sessions);
  const connect = async (streamKey: string, source?: PublishSource): Promise<FakeConnection | null> => {
    const connection = new FakeConnection(now, source);
    const sink = await admit({ app: 'live', streamKey, ip: '127.0.0.1' }, connection);
    if (sink === null || sink === 'refused') return null;
    connection.admitted(sink);
    return connection;
  };
  return { nodeId, connect };
}

const twoSegments = [videoConfig(), ...steadyFrames({ untilMs: 4_100, audio: false })];
const until = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const active = (id: string) => until(async () => (await reread(id)).isActive);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

describe('the test pattern', () => {
  const asked = () => stream(userId, { testPatternUntil: new Date(Date.now() + 60_000) });
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
    const row = await stream(userId);
    await connect(row.streamKey);
    await db.stream.update({
      where: { id: row.id },
      data: { testPatternUntil: new Date(Date.now() + 60_000) },
    });
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    await until(async () => (await patternOf(row.id)) === null);
    expect(await namesOf(row.id)).toEqual([]);
  });

  test('of another node ends before the encoder is admitted', async () => {
    const [here, there] = [await liveNode(), await liveNode()];
    const row = await asked();
    const pattern = await there.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    await active(row.id);
    const encoder = here.connect(row.streamKey);
    await until(async () => (await patternOf(row.id)) === null);
    // What the jobs role does when the row no longer asks for it.
    pattern?.cut('finished');
    expect(await encoder).not.toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId });
  });
});
