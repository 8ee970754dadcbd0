import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@/e2e/faults/service/until';
import type { Cluster, CreatedStream } from '../cluster';
import { neverSkip, secondsSince, type Scenario } from './scenario';

/** How long each phase of the scenario lasts. */
const PHASE_MS = 5_000;
const MAX_TAKEOVER_SECONDS = 15;

/**
 * The primary encoder of a stream publishes to one node, and its standby encoder to the other node. First the primary
 * encoder is lost, and then its node.
 */
export const standby: Scenario = {
  name: 'standby',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const stream = await cluster.createStream(remainingNode, 'standby', { record: true, backup: true });
    const primaryEncoder = cluster.startEncoder(stream.streamKey, [lostNode]);
    checks.add(await cluster.waitUntilPlayable(remainingNode, stream), 'a stream of node1 plays at node2');
    const standbyEncoder = cluster.startEncoder(stream.streamKey, [remainingNode]);
    const isStandby = await until(60, async () => (await readState(cluster, stream))?.standby === true, 200);
    checks.add(isStandby === true, 'an encoder at node2 stands by');
    await sleep(PHASE_MS);

    primaryEncoder.moveTo([]);
    const hasTakenOver = await until(
      30,
      async () => (await readState(cluster, stream))?.input === 'standby',
      100,
    );
    const state = await readState(cluster, stream);
    const isAtLostNode = state?.ingestUrl === lostNode.environment.RTMP_URL;
    checks.add(
      hasTakenOver === true && isAtLostNode,
      'it takes over when the primary encoder is killed, while node1 still has the stream',
    );
    checks.add(await waitForNewSegments(cluster, stream), 'the playlist continues');

    const lostAt = performance.now();
    await (lostNode.machine.setConnected?.(false) ?? lostNode.kill());
    const isAtRemainingNode = async () =>
      (await readState(cluster, stream))?.ingestUrl === remainingNode.environment.RTMP_URL;
    const isTakenOver = await until(60, isAtRemainingNode, 200);
    const seconds = secondsSince(lostAt);
    const lossKind = lostNode.machine.setConnected ? 'cut off' : 'killed';
    checks.add(
      isTakenOver === true && seconds <= MAX_TAKEOVER_SECONDS,
      `node2 has the stream ${seconds} s after node1 was ${lossKind}`,
    );
    checks.add(await waitForNewSegments(cluster, stream), 'the playlist continues there');
    await sleep(PHASE_MS);
    await standbyEncoder.stop();
    const sessionCount = await cluster.countRows(`"Session" where "parentId" = $1`, [stream.id]);
    checks.add(sessionCount === 1, `one session (${sessionCount})`);
    await lostNode.machine.setConnected?.(true);
  },
};

interface StreamState {
  readonly input: string | null;
  readonly standby: boolean;
  readonly ingestUrl: string | null;
}

async function readState(cluster: Cluster, { id }: CreatedStream): Promise<StreamState | undefined> {
  const [row] = await cluster.query<StreamState>(
    `select s."program"->>'input' as "input", s."program"->'standby' <> 'null'::jsonb as "standby", n."ingestUrl"
      from "Stream" s left join "Node" n on n."id" = s."liveNodeId" where s."id" = $1`,
    [id],
  );
  return row;
}

/**
 * Waits up to 60 s for two new segments in the playlist at node2.
 * @returns false after the timeout
 */
async function waitForNewSegments(cluster: Cluster, stream: CreatedStream): Promise<boolean> {
  const [, remainingNode] = cluster.nodes;
  const readLastMsn = async () => {
    const names = (await cluster.readPlaylist(remainingNode, stream))?.match(/^\d+(?=\.m4s)/gm) ?? [];
    return Number(names.at(-1) ?? 0);
  };
  const lastBefore = await readLastMsn();
  return (await until(60, async () => (await readLastMsn()) > lastBefore + 1)) !== null;
}
