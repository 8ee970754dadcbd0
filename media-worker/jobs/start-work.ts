import { availableParallelism } from 'node:os';
import type { WorkerContext } from '@/lib/context';
import { openEgress } from '@/lib/infra/egress';
import { publicHosts } from '@/lib/infra/own-addresses';
import { listen } from '@/lib/infra/notifications';
import { every } from '../every';
import type { Lifecycle } from '../lifecycle';
import { exportAssetJob } from './export-asset';
import { importAssetJob } from './import-asset';
import { makeStoryboards } from './make-storyboards';
import { TaskRunner } from './task-runner';
import { transcodeAssetJob } from './transcode-asset';

const lookMs = 1_000;
/** ffmpeg is given 4 s before it is killed; then the task is given back. */
const closeMs = 6_000;

/**
 * Works on tasks. Imports and exports mostly wait for disks and networks, so a few run beside each other, and never
 * behind an encoding that takes an hour.
 */
export function startWork(ctx: WorkerContext, lifecycle: Lifecycle): void {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('outbound calls', () => egress.close());
  const cores = availableParallelism();
  const runners = {
    tasks: new TaskRunner(ctx, {
      egress,
      handlers: { import: importAssetJob, export: exportAssetJob },
      concurrency: Math.max(2, cores),
    }),
    encodings: new TaskRunner(ctx, {
      egress,
      handlers: { transcode: transcodeAssetJob },
      concurrency: Math.max(1, Math.floor(cores / 2)),
    }),
  };
  const ending = new AbortController();
  const pictures = every(lookMs * 2, 'storyboards', ctx.log, () => makeStoryboards(ctx, ending.signal));
  lifecycle.own(
    'storyboards',
    async () => {
      ending.abort();
      await pictures.close();
    },
    closeMs,
  );
  const looks = Object.entries(runners).map(([name, runner]) => {
    const look = every(lookMs, name, ctx.log, () => runner.look(() => look.now()));
    lifecycle.own(name, () => Promise.all([look.close(), runner.close()]), closeMs);
    return look;
  });
  const nudge = () => looks.forEach((look) => look.now());
  const listener = listen(ctx.settings.databaseUrl, 'task_due', nudge, ctx.log);
  lifecycle.own('notifications of tasks', () => listener.close());
}
