import type { Egress } from '@/lib/infra/egress/egress';
import type { WorkerContext } from '@/lib/domain/context';
import type { RunningTask, TaskRelease } from '@/lib/domain/tasks';

/** One run of a task, for its handler. */
export interface TaskJob {
  readonly ctx: WorkerContext;
  readonly egress: Egress;
  readonly task: RunningTask;
  /** Aborted when this run loses its task, or the process ends. */
  readonly signal: AbortSignal;
  /** Folder of this task. Files of a killed run stay in it for the next run. */
  readonly scratch: string;
  /** Reports progress from 0 to 1; calls may be frequent. */
  readonly report: (progress: number) => void;
  /**
   * Releases the task between chunks of long work if another team should get the slot.
   * @throws TaskReleased
   */
  readonly yieldSlot: () => Promise<void>;
}

/** Completes its task in the database, or throws. */
export type TaskHandler = (job: TaskJob) => Promise<void>;

/**
 * The request cannot be fulfilled, for example because of an invalid file, so it is not retried. The message is
 * shown to the user. Any other error is retried (explain-failure.ts).
 */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

/** A remote server failed, so a few attempts are made. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

/** A part of this installation failed, with a message that users may read. The task is retried until it succeeds. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

/** Ends the run without a failure; another run continues the task. */
export class TaskReleased extends Error {
  override readonly name = 'TaskReleased';
  constructor(readonly change: TaskRelease = {}) {
    super('the task continues in another run');
  }
}
