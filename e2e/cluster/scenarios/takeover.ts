import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../faults/service/child';
import type { Cluster, NewStream } from '../cluster';
import type { ClusterNode } from '../node';
import { always, secondsSince, type Checks, type Scenario } from './scenario';

const partMs = 10_000;
const takenWithinSeconds = 15;

const numberIn = (playlist: string | null, tag: string): number =>
  Number(new RegExp(`#EXT-X-${tag}:(\\d+)`).exec(playlist ?? '')?.[1]);

/** The node of a stream is lost while the stream is watched through the other node, and the encoder reconnects there. */
export const takeover: Scenario = {
  name: 'takeover',
  skipReason: always,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const stream = await cluster.stream(remainingNode, 'takeover', { record: true });
    const encoder = cluster.encode(stream.streamKey, [lostNode]);
    checks.add(await cluster.untilPlays(remainingNode, stream), 'a stream of node1 plays at node2');
    await sleep(partMs);
    const playlistBefore = await cluster.playlist(remainingNode, stream);
    const session = await sessionsOf(cluster, stream);

    const begin = performance.now();
    await (lostNode.place.connect?.(false) ?? lostNode.kill());
    encoder.moveTo([remainingNode]);
    const isTaken = await until(60, () => isElsewhere(cluster, stream, lostNode), 200);
    const seconds = secondsSince(begin);
    const how = lostNode.place.connect ? 'cut off' : 'killed';
    checks.add(
      isTaken !== null && seconds <= takenWithinSeconds,
      `taken over ${seconds} s after it was ${how}`,
    );
    const goesOn = await until(60, async () => {
      const playlist = await cluster.playlist(remainingNode, stream);
      const isBehind = (tag: string) => numberIn(playlist, tag) > numberIn(playlistBefore, tag);
      return isBehind('MEDIA-SEQUENCE') && isBehind('DISCONTINUITY-SEQUENCE');
    });
    checks.add(goesOn !== null, 'the playlist continues behind a discontinuity');
    await sleep(partMs);
    await encoder.stop();
    const sessionsAfter = await sessionsOf(cluster, stream);
    checks.add(sessionsAfter.length === 1 && sessionsAfter[0] === session[0], 'same session');
    await lostNode.place.connect?.(true);
    await judgeRecording(cluster, stream, checks);
  },
};

/** Whether a node other than the lost node has the stream. */
async function isElsewhere(cluster: Cluster, { id }: NewStream, lostNode: ClusterNode): Promise<boolean> {
  const rows = await cluster.rows<{ ingestUrl: string | null }>(
    'select n."ingestUrl" from "Stream" s join "Node" n on n."id" = s."liveNodeId" where s."id" = $1',
    [id],
  );
  return rows.some(({ ingestUrl }) => ingestUrl !== lostNode.environment.RTMP_URL);
}

async function sessionsOf(cluster: Cluster, { id }: NewStream): Promise<string[]> {
  const rows = await cluster.rows<{ id: string }>('select "id" from "Session" where "parentId" = $1', [id]);
  return rows.map((row) => row.id);
}

async function judgeRecording(cluster: Cluster, { id }: NewStream, checks: Checks): Promise<void> {
  const ready = await until(240, async () => {
    const [row] = await cluster.rows<{ recording: string }>(
      'select "recording" from "Session" where "parentId" = $1',
      [id],
    );
    return row?.recording === 'ready';
  });
  checks.add(ready !== null, 'the recording is ready');
  const assets = await cluster.rows<{ seconds: number | null }>(
    `select ("videoSpec"->>'duration')::float8 as "seconds" from "Asset"
      where "sourceSessionId" in (select "id" from "Session" where "parentId" = $1)`,
    [id],
  );
  checks.add(assets.length === 1, `one asset of it (${assets.length})`);
  const seconds = assets[0]?.seconds ?? 0;
  // The last segment of each part may be lost with its node.
  checks.add(seconds > (2 * partMs) / 1_000 - 5, `it has both parts (${seconds.toFixed(1)} s)`);
  const eventCount = await cluster.count(`"Event" where "streamId" = $1 and "name" = 'recording.ready'`, [
    id,
  ]);
  checks.add(eventCount === 1, `one recording.ready (${eventCount})`);
}
