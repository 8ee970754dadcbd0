import type { Egress } from '@/lib/infra/egress';
import type { WorkerContext } from '@/lib/context';
import type { ClaimedTask } from '@/lib/tasks';

/** One run of a task, as its handler sees it. */
export interface TaskJob {
  readonly ctx: WorkerContext;
  readonly egress: Egress;
  readonly task: ClaimedTask;
  /** Aborted when the task is not ours any more, or this process ends. */
  readonly signal: AbortSignal;
  /** A folder of this task alone; what is left there by a run that was killed is still there in the next. */
  readonly scratch: string;
  /** 0 to 1, as often as the handler likes. */
  readonly report: (progress: number) => void;
}

/** Completes its task in the database, or throws. */
export type TaskHandler = (job: TaskJob) => Promise<void>;

/** No other try would end better; the message is for whoever asked for the task. Any other error is tried again. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}
