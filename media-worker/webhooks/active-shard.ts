import { HOUR_MS } from '@/lib/core/units';
import type { Shard } from '@/lib/contract/jobs';
import type { StartedDelivery } from '@/lib/domain/webhooks';

/** Maximum delay of a check. Node.js timers cannot wait longer than 2^31 ms. */
const MAX_DELAY_MS = HOUR_MS;

/** An attempt that is in progress. */
export interface RunningAttempt {
  readonly delivery: StartedDelivery;
  /** Resolves when the attempt has ended and its outcome is handled. */
  readonly whenDone: Promise<void>;
  /** Whether it takes so long that it uses a slot for slow attempts. */
  isSlow: boolean;
}

/** A webhook with running attempts or pending deliveries. */
export class ActiveWebhook {
  readonly runningAttempts = new Set<RunningAttempt>();
  /** Result of the last check: team and state of the webhook; null before the first check. */
  lastCheck: { readonly teamId: string; readonly failing: boolean } | null = null;
  /** Whether deliveries may be due: a notification arrived, or the last check returned more than there were free slots. */
  needsCheck = false;
  /** The scheduled check, and its time in milliseconds of `performance.now()`. */
  #timer: { readonly handle: NodeJS.Timeout; readonly dueAtMs: number } | null = null;

  constructor(
    readonly webhookId: string,
    readonly shard: ActiveShard,
  ) {}

  /** Whether the webhook has no attempt and no check to come. */
  get isIdle(): boolean {
    return !this.needsCheck && this.runningAttempts.size === 0 && !this.#timer;
  }

  /** @param check called after `ms`, unless an earlier check is scheduled */
  checkIn(ms: number, check: () => void): void {
    if (!this.shard.isOpen) return;
    const dueAtMs = performance.now() + Math.max(1, Math.min(ms, MAX_DELAY_MS));
    if (this.#timer && this.#timer.dueAtMs <= dueAtMs) return;
    this.cancelCheck();
    const handle = setTimeout(() => {
      this.#timer = null;
      this.needsCheck = true;
      check();
    }, dueAtMs - performance.now());
    this.#timer = { handle, dueAtMs };
  }

  cancelCheck(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = null;
  }
}

/** A shard (a sixteenth of all webhooks) whose job runs in this process, with its active webhooks. */
export class ActiveShard {
  readonly webhooks = new Map<string, ActiveWebhook>();
  /** Whether the webhooks of this shard have not been read from the database yet. */
  isNew = true;
  /** The running check; never rejects. */
  runningCheck: Promise<void> | null = null;
  #isFinished = false;
  readonly #lingerTimer: NodeJS.Timeout;
  #finish: () => void = () => undefined;

  /** @param lingerMs how long an idle shard keeps its job */
  constructor(
    readonly id: Shard,
    readonly signal: AbortSignal,
    lingerMs: number,
  ) {
    // If the timer fires while the shard is busy, the end of that work calls `restartLinger`.
    this.#lingerTimer = setTimeout(() => !this.#isBusy() && this.#finish(), lingerMs);
  }

  /** Whether attempts may start. After that, the next job of the shard delivers due events. */
  get isOpen(): boolean {
    return !this.#isFinished && !this.signal.aborted;
  }

  getOrAddWebhook(webhookId: string): ActiveWebhook {
    const webhook = this.webhooks.get(webhookId);
    if (webhook) return webhook;
    const newWebhook = new ActiveWebhook(webhookId, this);
    this.webhooks.set(webhookId, newWebhook);
    return newWebhook;
  }

  /** Restarts the linger timer after activity. */
  restartLinger(): void {
    if (!this.#isFinished) this.#lingerTimer.refresh();
  }

  /** Resolves when the shard has been idle for `lingerMs`, or when it was aborted and its attempts have ended. */
  async waitUntilIdle(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.signal.addEventListener('abort', () => resolve());
      if (this.signal.aborted) resolve();
    });
    this.#isFinished = true;
    clearTimeout(this.#lingerTimer);
    for (const webhook of this.webhooks.values()) webhook.cancelCheck();
    await this.runningCheck;
    const attempts = [...this.webhooks.values()].flatMap((webhook) => [...webhook.runningAttempts]);
    await Promise.all(attempts.map(({ whenDone }) => whenDone));
  }

  #isBusy(): boolean {
    if (this.isNew || this.runningCheck) return true;
    return [...this.webhooks.values()].some(
      ({ needsCheck, runningAttempts }) => needsCheck || runningAttempts.size > 0,
    );
  }
}
