import { availableParallelism } from 'node:os';
import type { WorkerContext } from '@/lib/context';
import { lanePlaces } from '@/lib/core/task-lanes';
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

/** Works on tasks, as many at once as their lanes have places. */
export function startWork(ctx: WorkerContext, lifecycle: Lifecycle): void {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('outbound calls', () => egress.close());
  const runner = new TaskRunner(ctx, {
    egress,
    handlers: { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob },
    places: lanePlaces(availableParallelism()),
  });
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
  const look = every(lookMs, 'tasks', ctx.log, () => runner.look(() => look.now()));
  lifecycle.own('tasks', () => Promise.all([look.close(), runner.close()]), closeMs);
  const listener = listen(ctx.settings.databaseUrl, 'task_due', () => look.now(), ctx.log);
  lifecycle.own('notifications of tasks', () => listener.close());
}
