import { describe, expect, test } from 'vitest';
import { TAKEOVER_SILENCE_MS } from '@/lib/core/streams/publish-admission';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/domain/testing/live-fixtures';
import { steadyFrames } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { liveNodesOf, twoSegments } from './testing/live-nodes';

const fixtures = liveFixtures(await testDatabase());
const { db, newTeam, stream, reread, sessionsOf, eventsOf } = fixtures;
const liveNode = liveNodesOf(fixtures);
const teamId = await newTeam();

const until = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

/** A stream that is active at the first of two nodes. */
async function liveThere() {
  const [there, here] = [await liveNode(), await liveNode()];
  const row = await stream(teamId);
  const encoder = await there.connect(row.streamKey);
  encoder?.send(twoSegments);
  await until(async () => (await reread(row.id)).isActive);
  return { there, here, row, encoder };
}

describe('an encoder at another node than the one that has its stream', () => {
  test('is refused while the other encoder sends', async () => {
    const { there, here, row, encoder } = await liveThere();
    expect(await here.connect(row.streamKey)).toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: there.nodeId, runs: 1 });
    expect(encoder?.ended).toBeNull();
  });

  test('has it once the other one was silent for three seconds, in the same session', async () => {
    const { there, here, row, encoder } = await liveThere();
    there.time.ahead += TAKEOVER_SILENCE_MS;
    const next = await here.connect(row.streamKey);
    expect(next).not.toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId, runs: 2, isActive: true });
    // The first node learns it from the row, and changes nothing there.
    await there.control.look();
    expect(encoder?.ended).toBe('cut');
    await until(() => Promise.resolve(there.sessions.all.length === 0));
    next?.send(twoSegments);
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId, isActive: true });
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect((await namesOf(row.id)).filter((name) => name === 'stream.idle')).toEqual([]);
  });

  test('has it at once while the other connection is lost', async () => {
    const { here, row, encoder } = await liveThere();
    encoder?.cut('lost');
    expect(await here.connect(row.streamKey)).not.toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId, isActive: true });
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('waits while the playlist of the other node shows its end', async () => {
    const { here, row, encoder } = await liveThere();
    encoder?.cut('finished');
    expect(await here.connect(row.streamKey)).not.toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId });
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
  });

  test('loses the race to the first encoder that comes back', async () => {
    const { there, here, row } = await liveThere();
    there.time.ahead += TAKEOVER_SILENCE_MS;
    const both = await Promise.all([there.connect(row.streamKey), here.connect(row.streamKey)]);
    expect(both.filter((each) => each !== null)).toHaveLength(1);
    expect((await reread(row.id)).runs).toBe(2);
  });

  test('is refused while the other node does not answer but is announced', async () => {
    const { there, here, row } = await liveThere();
    await there.stopAnswering();
    there.time.ahead += TAKEOVER_SILENCE_MS;
    expect(await here.connect(row.streamKey)).toBeNull();
    // Its process is gone: nothing listens, and it is not announced any longer.
    const seenAt = new Date(Date.now() - 4_000);
    await db.node.update({ where: { id: there.nodeId }, data: { seenAt } });
    expect(await here.connect(row.streamKey)).not.toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId });
  });
});

describe('a standby encoder at another node than its stream', () => {
  async function standingBy() {
    const [there, here] = [await liveNode(), await liveNode()];
    const row = await stream(teamId, { backup: true });
    const encoder = await there.connect(row.streamKey);
    encoder?.send(twoSegments);
    await until(async () => (await reread(row.id)).isActive);
    const standby = await here.connect(row.streamKey);
    standby?.send(twoSegments);
    const session = there.sessions.byStream(row.id);
    await until(() => Promise.resolve(session?.standby !== null));
    return { there, here, row, encoder, standby, session };
  }
  const later = [...steadyFrames({ fromMs: 4_120, untilMs: 16_300, audio: false })];

  test('is connected to that node, and on air when the primary encoder is lost', async () => {
    const { there, row, encoder, standby, session } = await standingBy();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: there.nodeId, runs: 1 });
    expect(encoder?.ended).toBeNull();
    const before = session?.renditions.source.window.nextFreeMsn ?? 0;
    encoder?.cut('lost');
    standby?.send(later);
    await until(() => Promise.resolve((session?.renditions.source.window.nextFreeMsn ?? 0) > before + 1));
    expect(await reread(row.id)).toMatchObject({ liveNodeId: there.nodeId, isActive: true });
  });

  test('publishes at its own node when the other one is gone', async () => {
    const { there, here, row, standby } = await standingBy();
    await there.stopAnswering();
    await db.node.update({ where: { id: there.nodeId }, data: { seenAt: new Date(Date.now() - 4_000) } });
    there.sessions.byStream(row.id)?.cutStandby();
    await until(async () => (await reread(row.id)).liveNodeId === here.nodeId);
    standby?.send(later);
    await until(() => Promise.resolve(here.sessions.byStream(row.id)?.active ?? false));
    expect(standby?.ended).toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('publishes at its own node when the other one is not heard of any more, though the connection is open', async () => {
    const { there, here, row } = await standingBy();
    await db.node.update({ where: { id: there.nodeId }, data: { seenAt: new Date(Date.now() - 12_000) } });
    await until(async () => (await reread(row.id)).liveNodeId === here.nodeId);
  });

  test('is gone there when it is gone here', async () => {
    const { row, standby, session } = await standingBy();
    standby?.cut('lost');
    await until(() => Promise.resolve(session?.standby === null));
    expect(await reread(row.id)).toMatchObject({ isActive: true });
  });

  test('is disconnected when the stream takes no second encoder any more', async () => {
    const { row, standby, session } = await standingBy();
    await db.stream.update({ where: { id: row.id }, data: { backup: false } });
    session?.cutStandby();
    await until(() => Promise.resolve(standby?.ended === 'lost'));
  });
});
