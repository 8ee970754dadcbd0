import type { SystemContext } from '@/lib/domain/context';
import { listen, type Channel } from '@/lib/infra/notifications';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import type { Lifecycle } from './lifecycle';

export interface AddJobs {
  /** Adds jobs for the rows with these ids. */
  readonly addFor: (ids: readonly string[]) => Promise<void>;
  /** Adds jobs for all due rows. Called when notifications may have been lost. */
  readonly addAll: () => Promise<void>;
}

/**
 * Adds jobs for rows when a notification arrives on a channel. Writers only notify, so they never wait for the queue.
 * Jobs that cannot be added are left to the sweep `due`.
 */
export class JobNotifications {
  readonly #ctx: Pick<SystemContext, 'log'>;
  readonly #jobs: AddJobs;
  readonly #ids = new Set<string>();
  #isForAll = false;
  #closed = false;
  #running: Promise<void> | null = null;

  constructor(ctx: Pick<SystemContext, 'log'>, jobs: AddJobs) {
    this.#ctx = ctx;
    this.#jobs = jobs;
  }

  /**
   * Adds jobs for a row.
   * @param id id of the row; null for all due rows
   */
  notify(id: string | null): void {
    if (this.#closed) return;
    if (id === null) this.#isForAll = true;
    else this.#ids.add(id);
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#closed && (this.#isForAll || this.#ids.size > 0)) await this.#addNext();
    } catch (error) {
      this.#ctx.log.warn(
        { reason: driverErrorMessage(error) },
        'jobs not enqueued; the next sweep will enqueue them',
      );
      this.#ids.clear();
      this.#isForAll = false;
    }
  }

  async #addNext(): Promise<void> {
    if (this.#isForAll) {
      this.#isForAll = false;
      await this.#jobs.addAll();
      return;
    }
    const ids = [...this.#ids];
    this.#ids.clear();
    await this.#jobs.addFor(ids);
  }
}

/**
 * Adds jobs for the notifications of a channel until the process ends.
 * @param onNotification called immediately with each id, even while the queue is unavailable
 */
export function startJobNotifications(
  ctx: SystemContext,
  lifecycle: Lifecycle,
  channel: Channel,
  jobs: AddJobs,
  onNotification?: (id: string) => void,
): void {
  const notifications = new JobNotifications(ctx, jobs);
  lifecycle.own(`jobs of ${channel}`, () => notifications.close());
  const notify = (id: string | null) => {
    if (id !== null) onNotification?.(id);
    notifications.notify(id);
  };
  const listener = listen(ctx.settings.databaseUrl, channel, notify, ctx.log);
  lifecycle.own(`notifications of ${channel}`, () => listener.close());
}
