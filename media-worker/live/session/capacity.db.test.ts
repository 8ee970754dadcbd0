import { expect, test } from 'vitest';
import { capacityRejection } from '@/lib/core/nodes/capacity';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createLiveNodes, twoSegments } from './testing/live-nodes';

const fixtures = createLiveFixtures(await createTestDatabase());
const { createTeam, createStream, eventsOf, readStream } = fixtures;
const openLiveNode = createLiveNodes(fixtures);
const teamId = await createTeam();

const limitTo = (maxStreams: number) => (streams: number) =>
  capacityRejection({ streams, maxStreams, overloadReason: null });
const waitUntil = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);

test('of many simultaneous encoders, as many are admitted as there is capacity for', async () => {
  const { connect, sessions } = await openLiveNode([], {}, limitTo(3));
  const rows = await Promise.all(Array.from({ length: 8 }, () => createStream(teamId)));
  const connections = await Promise.all(rows.map(({ streamKey }) => connect(streamKey)));
  expect(connections.filter((connection) => connection !== null)).toHaveLength(3);
  expect(sessions.all).toHaveLength(3);
  const rejectedRows = rows.filter((_, index) => connections[index] === null);
  for (const { id } of rejectedRows) {
    await waitUntil(async () => (await eventsOf(id)).length > 0);
    const message = 'the server has reached its limit of 3 streams';
    expect(await eventsOf(id)).toMatchObject([
      { name: 'stream.rejected', payload: { payload: { reason: 'node_full', message } } },
    ]);
  }
});

test('a stream keeps its place while its encoder may reconnect', async () => {
  const { connect, sessions } = await openLiveNode([], {}, limitTo(1));
  const [row, otherRow] = [await createStream(teamId), await createStream(teamId)];
  const firstConnection = await connect(row.streamKey);
  firstConnection?.publish(twoSegments);
  await waitUntil(async () => (await readStream(row.id)).isActive);
  firstConnection?.disconnect('lost');
  expect(await connect(otherRow.streamKey)).toBeNull();
  expect(await connect(row.streamKey)).not.toBeNull();
  await sessions.close();
  expect(await connect(otherRow.streamKey)).not.toBeNull();
});

test('of many simultaneous encoders of a team, as many are admitted as its quota allows', async () => {
  const { connect, sessions } = await openLiveNode();
  const limitedTeamId = await createTeam();
  await fixtures.db.teamQuota.create({ data: { teamId: limitedTeamId, liveStreams: 2n } });
  const rows = await Promise.all(Array.from({ length: 6 }, () => createStream(limitedTeamId)));
  // Live streams of another team do not count.
  expect(await connect((await createStream(teamId)).streamKey)).not.toBeNull();
  const connections = await Promise.all(rows.map(({ streamKey }) => connect(streamKey)));
  expect(connections.filter((connection) => connection !== null)).toHaveLength(2);
  const rejectedRow = rows[connections.indexOf(null)];
  await waitUntil(async () => (await eventsOf(rejectedRow?.id ?? '')).length > 0);
  expect(await eventsOf(rejectedRow?.id ?? '')).toMatchObject([
    {
      payload: {
        payload: {
          reason: 'quota_exceeded',
          message: 'live streams: 2 of 2 are live. End one, or ask the operator of this service for more.',
        },
      },
    },
  ]);
  // A live stream may reconnect although the limit was lowered.
  await fixtures.db.teamQuota.update({ where: { teamId: limitedTeamId }, data: { liveStreams: 1n } });
  const admittedIndex = connections.findIndex((connection) => connection !== null);
  connections[admittedIndex]?.publish(twoSegments);
  await waitUntil(async () => (await readStream(rows[admittedIndex]?.id ?? '')).isActive);
  connections[admittedIndex]?.disconnect('lost');
  expect(await connect(rows[admittedIndex]?.streamKey ?? '')).not.toBeNull();
  await sessions.close();
  expect(await connect(rejectedRow?.streamKey ?? '')).not.toBeNull();
});
