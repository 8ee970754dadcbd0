import type { WorkerContext } from '@/lib/context';
import type { TaskLane } from '@/lib/core/task-lanes';
import { openEgress } from '@/lib/infra/egress';
import { systemResolve } from '@/lib/infra/resolve';
import type { TaskHandler } from '../task-job';
import { TaskRunner } from '../task-runner';

/** Loopback may be called, because the servers of other people stand there in tests. */
const allowCidrs = ['127.0.0.1/32'];
const onePlace: Readonly<Record<TaskLane, number>> = { transfer: 1, local: 1, encode: 1 };

/**
 * A runner as the service has one, for tests: `drain` works until nothing is due any more, `once` only on what is due now.
 * On a busy machine a task that is tried again after seconds may be due again before `drain` returns.
 */
export function taskRunner(
  ctx: WorkerContext,
  handlers: Readonly<Record<string, TaskHandler>>,
  { places = onePlace, renewMs = 50, resolve = systemResolve } = {},
) {
  const egress = openEgress({ allowCidrs, resolve });
  const runner = new TaskRunner(ctx, { egress, handlers, places, renewMs });
  const drain = async () => {
    for (let ended = 1; ended > 0;) {
      ended = 0;
      await runner.look(() => ended++);
      ended += await runner.settled();
    }
  };
  const once = async () => {
    await runner.look(() => undefined);
    await runner.settled();
  };
  const close = async () => {
    await runner.close();
    await egress.close();
  };
  return { runner, drain, once, close };
}
