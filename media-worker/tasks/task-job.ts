import type { Egress } from '@/lib/infra/egress/egress';
import type { WorkerContext } from '@/lib/context';
import type { RunningTask, TaskRelease } from '@/lib/tasks';

/** One run of a task, as its handler sees it. */
export interface TaskJob {
  readonly ctx: WorkerContext;
  readonly egress: Egress;
  readonly task: RunningTask;
  /** Aborted when the task is not ours any more, or this process ends. */
  readonly signal: AbortSignal;
  /** A folder of this task alone; what is left there by a run that was killed is still there in the next. */
  readonly scratch: string;
  /** 0 to 1, as often as the handler likes. */
  readonly report: (progress: number) => void;
  /** Between pieces of long work. @throws TaskReleased when another account should have the place */
  readonly giveWay: () => Promise<void>;
}

/** Completes its task in the database, or throws. */
export type TaskHandler = (job: TaskJob) => Promise<void>;

/**
 * What was asked for cannot be done, such as with a bad file: no other try would end better. The message is for whoever
 * asked. Any other error is tried again (explain-failure.ts).
 */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

/** Somebody else's server failed; another attempt may succeed, and a few are made. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

/** A part of this installation failed, and says why in words that its users may read; tried again until it works. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

/** The run ends here, and its task goes on in another one: nothing failed. */
export class TaskReleased extends Error {
  override readonly name = 'TaskReleased';
  constructor(readonly change: TaskRelease = {}) {
    super('the task goes on in another run');
  }
}
