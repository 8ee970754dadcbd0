import { readFile } from 'node:fs/promises';
import { until } from '@/e2e/faults/service/until';
import { sendSignal } from '../../faults/service/processes';
import type { Cluster } from '../cluster';
import { neverSkip, secondsSince, type Scenario } from './scenario';

const MAX_SECONDS_TO_CONTINUE = 30;

interface TaskRow {
  readonly phase: string;
  readonly attempt: number;
}

/** A node is killed during a transcode, and the other node restarts the task. */
export const jobs: Scenario = {
  name: 'jobs',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    const assetId = await uploadAsset(cluster);
    checks.add(await waitUntilReady(cluster, assetId), 'an upload is ready');
    const otherJobsProcess = remainingNode.findProcesses().roles.jobs;
    if (!otherJobsProcess) throw new Error('node2 runs no jobs');
    // While its jobs process stands still, node2 cannot take the task before node1.
    sendSignal(otherJobsProcess, 'SIGSTOP');
    let taskId: string;
    try {
      const profile = { name: '1080p', width: 1920, height: 1080, bitrate: 4_000_000, fps: 30 };
      const body = { name: 'transcode', profile };
      const { task } = await cluster.createObject(lostNode, `/asset/${assetId}/transcode`, body);
      taskId = (task as { id: string }).id;
      const isRunning = await until(
        90,
        async () => (await readTask(cluster, taskId))?.phase === 'running',
        100,
      );
      checks.add(isRunning === true, 'its transcode runs on node1');
    } finally {
      sendSignal(otherJobsProcess, 'SIGCONT');
    }
    const taskBefore = await readTask(cluster, taskId);
    await lostNode.kill();
    const killedAt = performance.now();
    const isRestarted = await until(120, async () => {
      const task = await readTask(cluster, taskId);
      return task && task.attempt > (taskBefore?.attempt ?? 0) && task.phase !== 'pending';
    });
    const seconds = secondsSince(killedAt);
    checks.add(
      taskBefore?.phase === 'running' && isRestarted === true && seconds <= MAX_SECONDS_TO_CONTINUE,
      `node2 takes it over ${seconds} s after node1 was killed`,
    );
    const isDone = await until(300, async () => (await readTask(cluster, taskId))?.phase === 'completed');
    checks.add(isDone === true, `it is completed after ${secondsSince(killedAt)} s`);
  },
};

async function readTask(cluster: Cluster, id: string): Promise<TaskRow | undefined> {
  const [row] = await cluster.query<TaskRow>('select "phase"::text, "attempt" from "Task" where "id" = $1', [
    id,
  ]);
  return row;
}

async function uploadAsset(cluster: Cluster): Promise<string> {
  const [firstNode] = cluster.nodes;
  const uploadResponse = await cluster.createObject(firstNode, '/asset/request-upload', { name: 'upload' });
  const { url, asset } = uploadResponse as { url: string; asset: { id: string } };
  const response = await fetch(url, { method: 'PUT', body: await readFile(cluster.sourceFile) });
  if (!response.ok) throw new Error(`PUT of an upload: ${response.status}`);
  return asset.id;
}

async function waitUntilReady(cluster: Cluster, id: string): Promise<boolean> {
  const isReady = await until(120, () =>
    cluster.hasRow(`"Asset" where "id" = $1 and "phase" = 'ready'`, [id]),
  );
  return isReady === true;
}
