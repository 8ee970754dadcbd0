import { readFile } from 'node:fs/promises';
import { until } from '../../faults/service/child';
import { signal } from '../../faults/service/processes';
import type { Cluster } from '../cluster';
import { always, secondsSince, type Scenario } from './scenario';

const continuesWithinSeconds = 30;

interface TaskRow {
  readonly phase: string;
  readonly attempt: number;
}

/** A node is killed during a transcode, and the other node restarts it. */
export const jobs: Scenario = {
  name: 'jobs',
  skipReason: always,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const assetId = await uploadedAsset(cluster);
    checks.add(await untilReady(cluster, assetId), 'an upload is ready');
    const otherProcess = remainingNode.processes().roles.jobs;
    if (!otherProcess) throw new Error('node2 runs no jobs');
    signal(otherProcess, 'SIGSTOP');
    let taskId: string;
    try {
      const profile = { name: '1080p', width: 1920, height: 1080, bitrate: 4_000_000, fps: 30 };
      const body = { name: 'transcode', profile };
      const { task } = await cluster.create(lostNode, `/asset/${assetId}/transcode`, body);
      taskId = (task as { id: string }).id;
      const running = await until(90, async () => (await taskOf(cluster, taskId))?.phase === 'running', 100);
      checks.add(running !== null, 'its transcode runs on node1');
    } finally {
      signal(otherProcess, 'SIGCONT');
    }
    const taskBefore = await taskOf(cluster, taskId);
    await lostNode.kill();
    const begin = performance.now();
    const again = await until(120, async () => {
      const task = await taskOf(cluster, taskId);
      return task && task.attempt > (taskBefore?.attempt ?? 0) && task.phase !== 'pending';
    });
    const seconds = secondsSince(begin);
    checks.add(
      taskBefore?.phase === 'running' && again !== null && seconds <= continuesWithinSeconds,
      `node2 takes it over ${seconds} s after node1 was killed`,
    );
    const isDone = await until(300, async () => (await taskOf(cluster, taskId))?.phase === 'completed');
    checks.add(isDone !== null, `it is completed after ${secondsSince(begin)} s`);
  },
};

async function taskOf(cluster: Cluster, id: string): Promise<TaskRow | undefined> {
  const [row] = await cluster.rows<TaskRow>('select "phase"::text, "attempt" from "Task" where "id" = $1', [
    id,
  ]);
  return row;
}

async function uploadedAsset(cluster: Cluster): Promise<string> {
  const [first] = cluster.nodes;
  const uploadResponse = await cluster.create(first, '/asset/request-upload', { name: 'upload' });
  const { url, asset } = uploadResponse as { url: string; asset: { id: string } };
  const response = await fetch(url, { method: 'PUT', body: await readFile(cluster.source) });
  if (!response.ok) throw new Error(`PUT of an upload: ${response.status}`);
  return asset.id;
}

async function untilReady(cluster: Cluster, id: string): Promise<boolean> {
  const ready = await until(120, () => cluster.exists(`"Asset" where "id" = $1 and "phase" = 'ready'`, [id]));
  return ready !== null;
}
