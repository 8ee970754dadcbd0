import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { always, type Scenario } from './scenario';

const aheadSeconds = 30;

/** Path of libfaketime, which shifts the clock of a process; null if it is not installed. */
function faketimeLibrary(): string | null {
  const folders = [
    '/usr/lib',
    ...(existsSync('/usr/lib') ? readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}`) : []),
  ];
  const files = folders.map((folder) => `${folder}/faketime/libfaketime.so.1`);
  return files.find((file) => existsSync(file)) ?? null;
}

/** The clock of one node is ahead: the node takes no work from the other node, and requests between the nodes keep working. */
export const clocks: Scenario = {
  name: 'clocks',
  skipReason: () => (faketimeLibrary() === null ? 'libfaketime is not installed' : always()),
  async run(cluster, checks) {
    const [exact, ahead] = cluster.nodes;
    const library = faketimeLibrary();
    if (library === null) return;
    await ahead.stop();
    ahead.start({ LD_PRELOAD: library, FAKETIME: `+${aheadSeconds}s`, DONT_FAKE_MONOTONIC: '1' });
    await ahead.untilHealthy();
    try {
      const stream = await cluster.stream(exact, 'clocks');
      cluster.encode(stream.streamKey, [exact]);
      checks.add(
        await cluster.untilPlays(ahead, stream),
        `a stream of node1 plays at node2, ${aheadSeconds} s ahead`,
      );
      const holder = () =>
        cluster.rows<{ liveNodeId: string }>('select "liveNodeId" from "Stream" where "id" = $1', [
          stream.id,
        ]);
      const [holderBefore] = await holder();
      // Longer than a node may be silent before others consider it lost.
      await sleep(20_000);
      const [holderAfter] = await holder();
      checks.add(holderBefore?.liveNodeId === holderAfter?.liveNodeId, 'node1 keeps its stream');
      const idle = await cluster.count(`"Event" where "streamId" = $1 and "name" = 'stream.idle'`, [
        stream.id,
      ]);
      checks.add(idle === 0, 'it did not become idle');
      const otherStream = await cluster.stream(ahead, 'clocks, the other way');
      cluster.encode(otherStream.streamKey, [ahead]);
      checks.add(await cluster.untilPlays(exact, otherStream), 'a stream of node2 plays at node1');
    } finally {
      await cluster.stopEncoders();
      await ahead.stop();
    }
  },
};
