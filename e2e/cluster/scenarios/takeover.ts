import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@/e2e/faults/service/until';
import type { Cluster, CreatedStream } from '../cluster';
import type { ClusterNode } from '../node';
import { neverSkip, secondsSince, type Checks, type Scenario } from './scenario';

/** How long each phase of the scenario lasts. */
const PHASE_MS = 10_000;
const MAX_TAKEOVER_SECONDS = 15;

/** Reads the number of a tag of a playlist. It is NaN if there is no playlist or no such tag. */
const readTagNumber = (playlist: string | null, tag: string): number =>
  Number(new RegExp(`#EXT-X-${tag}:(\\d+)`).exec(playlist ?? '')?.[1]);

/**
 * The node of a stream is lost while viewers watch the stream through the other node, and the encoder reconnects to the
 * other node.
 */
export const takeover: Scenario = {
  name: 'takeover',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const stream = await cluster.createStream(remainingNode, 'takeover', { record: true });
    const encoder = cluster.startEncoder(stream.streamKey, [lostNode]);
    checks.add(await cluster.waitUntilPlayable(remainingNode, stream), 'a stream of node1 plays at node2');
    await sleep(PHASE_MS);
    const playlistBefore = await cluster.readPlaylist(remainingNode, stream);
    const sessionsBefore = await readSessionIds(cluster, stream);

    const lostAt = performance.now();
    await (lostNode.machine.setConnected?.(false) ?? lostNode.kill());
    encoder.moveTo([remainingNode]);
    const isTakenOver = await until(60, () => hasMoved(cluster, stream, lostNode), 200);
    const seconds = secondsSince(lostAt);
    const lossKind = lostNode.machine.setConnected ? 'cut off' : 'killed';
    checks.add(
      isTakenOver === true && seconds <= MAX_TAKEOVER_SECONDS,
      `taken over ${seconds} s after it was ${lossKind}`,
    );
    const hasContinued = await until(60, async () => {
      const playlist = await cluster.readPlaylist(remainingNode, stream);
      const hasIncreased = (tag: string) => readTagNumber(playlist, tag) > readTagNumber(playlistBefore, tag);
      // The discontinuity sequence number increases when the discontinuity has left the window.
      return hasIncreased('MEDIA-SEQUENCE') && hasIncreased('DISCONTINUITY-SEQUENCE');
    });
    checks.add(hasContinued === true, 'the playlist continues behind a discontinuity');
    await sleep(PHASE_MS);
    await encoder.stop();
    const sessionsAfter = await readSessionIds(cluster, stream);
    checks.add(sessionsAfter.length === 1 && sessionsAfter[0] === sessionsBefore[0], 'same session');
    await lostNode.machine.setConnected?.(true);
    await checkRecording(cluster, stream, checks);
  },
};

/** Whether a node other than the lost node has the stream. */
async function hasMoved(cluster: Cluster, { id }: CreatedStream, lostNode: ClusterNode): Promise<boolean> {
  const rows = await cluster.query<{ ingestUrl: string | null }>(
    'select n."ingestUrl" from "Stream" s join "Node" n on n."id" = s."liveNodeId" where s."id" = $1',
    [id],
  );
  return rows.some(({ ingestUrl }) => ingestUrl !== lostNode.environment.RTMP_URL);
}

async function readSessionIds(cluster: Cluster, { id }: CreatedStream): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>('select "id" from "Session" where "parentId" = $1', [id]);
  return rows.map((row) => row.id);
}

async function checkRecording(cluster: Cluster, { id }: CreatedStream, checks: Checks): Promise<void> {
  const isReady = await until(240, async () => {
    const [row] = await cluster.query<{ recording: string }>(
      'select "recording" from "Session" where "parentId" = $1',
      [id],
    );
    return row?.recording === 'ready';
  });
  checks.add(isReady === true, 'the recording is ready');
  const assets = await cluster.query<{ seconds: number | null }>(
    `select ("videoSpec"->>'duration')::float8 as "seconds" from "Asset"
      where "sourceSessionId" in (select "id" from "Session" where "parentId" = $1)`,
    [id],
  );
  checks.add(assets.length === 1, `one asset of it (${assets.length})`);
  const seconds = assets[0]?.seconds ?? 0;
  // The last segment before and after the takeover may be lost.
  checks.add(seconds > (2 * PHASE_MS) / 1_000 - 5, `it has both parts (${seconds.toFixed(1)} s)`);
  const eventCount = await cluster.countRows(`"Event" where "streamId" = $1 and "name" = 'recording.ready'`, [
    id,
  ]);
  checks.add(eventCount === 1, `one recording.ready (${eventCount})`);
}
