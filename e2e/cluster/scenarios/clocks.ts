import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './scenario';

const CLOCK_AHEAD_SECONDS = 30;

/** Finds the path of libfaketime, which shifts the clock of a process. Null means that libfaketime is not installed. */
function findFaketimeLibrary(): string | null {
  const folders = [
    '/usr/lib',
    ...(existsSync('/usr/lib') ? readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}`) : []),
  ];
  const files = folders.map((folder) => `${folder}/faketime/libfaketime.so.1`);
  return files.find((file) => existsSync(file)) ?? null;
}

/** A node whose clock is ahead takes no work from the other node, and requests between the nodes work. */
export const clocks: Scenario = {
  name: 'clocks',
  skipReason: () => (findFaketimeLibrary() === null ? 'libfaketime is not installed' : null),
  async run(cluster, checks) {
    const [exactNode, aheadNode] = cluster.nodes;
    const library = findFaketimeLibrary();
    if (library === null) return;
    await aheadNode.stop();
    aheadNode.start({ LD_PRELOAD: library, FAKETIME: `+${CLOCK_AHEAD_SECONDS}s`, DONT_FAKE_MONOTONIC: '1' });
    await aheadNode.waitUntilHealthy();
    try {
      const stream = await cluster.createStream(exactNode, 'clocks');
      cluster.startEncoder(stream.streamKey, [exactNode]);
      checks.add(
        await cluster.waitUntilPlayable(aheadNode, stream),
        `a stream of node1 plays at node2, ${CLOCK_AHEAD_SECONDS} s ahead`,
      );
      const readLiveNode = () =>
        cluster.query<{ liveNodeId: string }>('select "liveNodeId" from "Stream" where "id" = $1', [
          stream.id,
        ]);
      const [liveNodeBefore] = await readLiveNode();
      // The pause is longer than the time after which other nodes consider a silent node lost.
      await sleep(20_000);
      const [liveNodeAfter] = await readLiveNode();
      checks.add(liveNodeBefore?.liveNodeId === liveNodeAfter?.liveNodeId, 'node1 keeps its stream');
      const idleEvents = await cluster.countRows(`"Event" where "streamId" = $1 and "name" = 'stream.idle'`, [
        stream.id,
      ]);
      checks.add(idleEvents === 0, 'its stream did not become idle');
      const otherStream = await cluster.createStream(aheadNode, 'clocks, the other way');
      cluster.startEncoder(otherStream.streamKey, [aheadNode]);
      checks.add(await cluster.waitUntilPlayable(exactNode, otherStream), 'a stream of node2 plays at node1');
    } finally {
      await cluster.stopEncoders();
      await aheadNode.stop();
    }
  },
};
