import type { WorkerContext } from '@/lib/context';
import type { Lifecycle } from './lifecycle';

/**
 * Starts one role: resolves when it is at work, having given everything it started to `lifecycle`.
 * @param signal aborted when the process shall end, also before the role has started
 */
export type StartRole = (ctx: WorkerContext, lifecycle: Lifecycle, signal: AbortSignal) => Promise<void>;
