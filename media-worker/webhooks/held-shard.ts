import type { Shard } from '@/lib/contract/jobs';
import type { StartedDelivery } from '@/lib/webhooks';

/** Timers of Node.js take no more than this; a shard is not held for so long without a look. */
const maxMs = 3_600_000;

/** An attempt under way. */
export interface RunningAttempt {
  readonly started: StartedDelivery;
  readonly done: Promise<void>;
  slow: boolean;
}

/** A webhook with something to deliver: what is under way, and whether there is reason to look for more. */
export class HeldWebhook {
  readonly running = new Set<RunningAttempt>();
  /** As of the last look. */
  account: { readonly userId: string; readonly failing: boolean } | null = null;
  /** Since the last look something was told, or there was no place for all of it. */
  mayBeDue = false;
  #timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null;

  constructor(
    readonly webhookId: string,
    readonly shard: HeldShard,
  ) {}

  get isIdle(): boolean {
    return !this.mayBeDue && this.running.size === 0 && !this.#timer;
  }

  /** @param look called after `ms`, unless an earlier time is set already */
  lookIn(ms: number, look: () => void): void {
    if (!this.shard.isOpen) return;
    const at = performance.now() + Math.max(1, Math.min(ms, maxMs));
    if (this.#timer && this.#timer.at <= at) return;
    this.forgetTime();
    const handle = setTimeout(() => {
      this.#timer = null;
      this.mayBeDue = true;
      look();
    }, at - performance.now());
    this.#timer = { handle, at };
  }

  forgetTime(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = null;
  }
}

/** A shard whose job this process has: its webhooks with something to deliver. */
export class HeldShard {
  readonly webhooks = new Map<string, HeldWebhook>();
  /** Its webhooks are read from the rows first. */
  isNew = true;
  /** Never rejects. */
  looking: Promise<void> | null = null;
  #isOver = false;
  readonly #quiet: NodeJS.Timeout;
  #end: () => void = () => undefined;

  /** @param lingerMs how long the job is kept while there is nothing to do */
  constructor(
    readonly shard: Shard,
    readonly signal: AbortSignal,
    lingerMs: number,
  ) {
    // It may fire in the middle of something: whatever ends calls `stir`.
    this.#quiet = setTimeout(() => !this.#isBusy() && this.#end(), lingerMs);
  }

  /** Whether attempts may begin: when its job is about to end, what is told is for the next. */
  get isOpen(): boolean {
    return !this.#isOver && !this.signal.aborted;
  }

  webhook(webhookId: string): HeldWebhook {
    const known = this.webhooks.get(webhookId);
    if (known) return known;
    const added = new HeldWebhook(webhookId, this);
    this.webhooks.set(webhookId, added);
    return added;
  }

  /** Something of it has changed: it is kept for a while from now. */
  stir(): void {
    if (!this.#isOver) this.#quiet.refresh();
  }

  /** Resolves when nothing was under way, or could be due, for a while; or when it was aborted, and all has ended. */
  async over(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      this.signal.addEventListener('abort', () => resolve());
      if (this.signal.aborted) resolve();
    });
    this.#isOver = true;
    clearTimeout(this.#quiet);
    for (const webhook of this.webhooks.values()) webhook.forgetTime();
    await this.looking;
    const running = [...this.webhooks.values()].flatMap((webhook) => [...webhook.running]);
    await Promise.all(running.map(({ done }) => done));
  }

  #isBusy(): boolean {
    if (this.isNew || this.looking) return true;
    return [...this.webhooks.values()].some(({ mayBeDue, running }) => mayBeDue || running.size > 0);
  }
}
