import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { MeasuredProcess } from './process-metrics';

/**
 * Exchange of metrics between the processes of a role. The process that receives a scrape asks the process that started
 * the group (lib/infra/process-group.ts), which asks all of them. Uses Node's IPC channel, as
 * lib/infra/supervisor-channel.ts does.
 */

/** Metrics of one process; null if it did not respond. */
type ProcessValues = MeasuredProcess['processValues'];

type Message =
  /** Request of the process that received the scrape, and its response. */
  | { readonly metrics: 'of group'; readonly id: string; readonly processes?: readonly MeasuredProcess[] }
  /** Request to each process, and its response. */
  | { readonly metrics: 'of process'; readonly id: string; readonly values?: ProcessValues };

/** Timeout of one process, which may be frozen or starting. It is longer than a measurement takes. */
const PROCESS_TIMEOUT_MS = 3_000;
const GROUP_TIMEOUT_MS = PROCESS_TIMEOUT_MS + 1_000;

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'metrics' in value && 'id' in value;

/** Endpoint of the channel in the process that starts the group. */
export class GroupChannel {
  readonly #workers = new Map<number, Worker>();
  /** Pending requests by id. */
  readonly #callbacks = new Map<string, (values: ProcessValues) => void>();

  /** Adds a started process of the group, which replaces an earlier one in its slot. */
  add(slot: number, worker: Worker): void {
    this.#workers.set(slot, worker);
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return;
      if (message.metrics === 'of process') this.#callbacks.get(message.id)?.(message.values ?? null);
      else void this.#respond(worker, message.id);
    });
  }

  async #respond(requester: Worker, id: string): Promise<void> {
    const measurements = [...this.#workers].map(async ([slot, worker]) => ({
      slot,
      processValues: await this.#measureProcess(worker),
    }));
    const processes = (await Promise.all(measurements)).sort((a, b) => a.slot - b.slot);
    sendMessage(requester, { metrics: 'of group', id, processes });
  }

  #measureProcess(worker: Worker): Promise<ProcessValues> {
    if (!worker.isConnected()) return Promise.resolve(null);
    const id = randomUUID();
    return new Promise<ProcessValues>((resolve) => {
      const timer = setTimeout(() => resolve(null), PROCESS_TIMEOUT_MS);
      this.#callbacks.set(id, (values) => {
        clearTimeout(timer);
        resolve(values);
      });
      sendMessage(worker, { metrics: 'of process', id });
    }).finally(() => this.#callbacks.delete(id));
  }
}

/**
 * Joins this process to its group. It responds to measurement requests with the result of `measure`.
 * @returns a function that measures all processes of the group, and rejects if there is no response in time
 */
export function joinGroup(measure: () => Promise<ProcessValues>): () => Promise<readonly MeasuredProcess[]> {
  const callbacks = new Map<string, (processes: readonly MeasuredProcess[]) => void>();
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'of group') callbacks.get(message.id)?.(message.processes ?? []);
    else {
      const { id } = message;
      const respond = (values: ProcessValues) => sendMessage(process, { metrics: 'of process', id, values });
      measure().then(respond, () => respond(null));
    }
  });
  return () => {
    const id = randomUUID();
    return new Promise<readonly MeasuredProcess[]>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('the processes of the group did not respond in time')),
        GROUP_TIMEOUT_MS,
      );
      callbacks.set(id, (processes) => {
        clearTimeout(timer);
        resolve(processes);
      });
      sendMessage(process, { metrics: 'of group', id });
    }).finally(() => callbacks.delete(id));
  };
}

/** Whether this process is one of several of its role. */
export const isInGroup = (): boolean => cluster.isWorker;

/** Sends a message. The callback prevents an uncaught error if the other process has exited. */
function sendMessage(target: Pick<NodeJS.Process, 'send'> | Worker, message: Message): void {
  target.send?.(message, undefined, undefined, () => undefined);
}
