import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../faults/service/child';
import type { Cluster, NewStream } from '../cluster';
import { always, secondsSince, type Scenario } from './scenario';

const partMs = 5_000;
const takenWithinSeconds = 15;

/**
 * The primary encoder of a stream is at one node and its standby encoder at the other. First the primary encoder is lost,
 * then the node of the standby encoder.
 */
export const standby: Scenario = {
  name: 'standby',
  skipReason: always,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const stream = await cluster.stream(remainingNode, 'standby', { record: true, backup: true });
    const primary = cluster.encode(stream.streamKey, [lostNode]);
    checks.add(await cluster.untilPlays(remainingNode, stream), 'a stream of node1 plays at node2');
    const second = cluster.encode(stream.streamKey, [remainingNode]);
    const stands = await until(60, async () => (await stateOf(cluster, stream))?.standby === true, 200);
    checks.add(stands !== null, 'an encoder at node2 stands by');
    await sleep(partMs);

    primary.moveTo([]);
    const onAir = await until(30, async () => (await stateOf(cluster, stream))?.input === 'standby', 100);
    const state = await stateOf(cluster, stream);
    const isThere = state?.ingestUrl === lostNode.environment.RTMP_URL;
    checks.add(onAir !== null && isThere, 'it is on air when the encoder at node1 is killed, at node1 still');
    checks.add(await goesOn(cluster, stream), 'the playlist continues');

    const begin = performance.now();
    await (lostNode.place.connect?.(false) ?? lostNode.kill());
    const isHere = async () =>
      (await stateOf(cluster, stream))?.ingestUrl === remainingNode.environment.RTMP_URL;
    const isTaken = await until(60, isHere, 200);
    const seconds = secondsSince(begin);
    const how = lostNode.place.connect ? 'cut off' : 'killed';
    checks.add(
      isTaken !== null && seconds <= takenWithinSeconds,
      `it publishes at node2 ${seconds} s after node1 was ${how}`,
    );
    checks.add(await goesOn(cluster, stream), 'the playlist continues there');
    await sleep(partMs);
    await second.stop();
    const sessions = await cluster.count(`"Session" where "parentId" = $1`, [stream.id]);
    checks.add(sessions === 1, `one session (${sessions})`);
    await lostNode.place.connect?.(true);
  },
};

interface State {
  readonly input: string | null;
  readonly standby: boolean;
  readonly ingestUrl: string | null;
}

async function stateOf(cluster: Cluster, { id }: NewStream): Promise<State | undefined> {
  const [row] = await cluster.rows<State>(
    `select s."program"->>'input' as "input", s."program"->'standby' <> 'null'::jsonb as "standby", n."ingestUrl"
      from "Stream" s left join "Node" n on n."id" = s."liveNodeId" where s."id" = $1`,
    [id],
  );
  return row;
}

/** Whether the playlist at node2 gets new segments. */
async function goesOn(cluster: Cluster, stream: NewStream): Promise<boolean> {
  const [, remainingNode] = cluster.nodes;
  const last = async () => {
    const names = (await cluster.playlist(remainingNode, stream))?.match(/^\d+(?=\.m4s)/gm) ?? [];
    return Number(names.at(-1) ?? 0);
  };
  const lastBefore = await last();
  return (await until(60, async () => (await last()) > lastBefore + 1)) !== null;
}
