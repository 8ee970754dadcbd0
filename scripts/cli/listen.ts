import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, callEndpoint } from '@/lib/client/call';
import { routeOf } from '@/lib/client/routes/route';
import { readEvents, type HappenedEventObject } from '@/lib/contract/webhooks/event-endpoints';
import { openEgress, type Egress } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { signatureHeaders } from '@/lib/domain/webhooks';
import { ExpectedError } from '../service/expected-error';

export interface ListenOptions {
  /** URL to which events are posted. */
  readonly forward: string;
  readonly key: string;
  /** URL of the service. */
  readonly baseUrl: string;
  /** Secret that signs the forwarded events. */
  readonly secret: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** How long the service waits for new events before it responds; the value of a query parameter. */
const longPollSeconds = '25';
const RETRY_DELAY_MS = 1_000;
const FORWARD_TIMEOUT_MS = 15_000;
/** Placeholder for the id of the webhook, because none exists. */
const webhookId = '00000000-0000-4000-8000-000000000000';

/**
 * Forwards new events of the key's team, signed like deliveries, until `signal` is aborted. An event that can't be forwarded
 * is not sent again.
 * @throws ExpectedError if the service rejects the request, for example because of the key
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { signal, log, forward, baseUrl } = options;
  // The command runs on the developer's machine, so all IP addresses are allowed.
  const egress = openEgress({ allowCidrs: ['0.0.0.0/0', '::/0'] });
  try {
    let after: string | undefined;
    let isInterrupted = false;
    while (!signal.aborted) {
      try {
        const { events, cursor } = await readNextEvents(options, after);
        if (after === undefined)
          log(`Forwarding events of ${baseUrl} to ${forward}, signed with ${options.secret}`);
        if (isInterrupted) log('The service is back.');
        isInterrupted = false;
        for (const event of events) log(await forwardEvent(egress, event, options));
        after = cursor;
      } catch (error) {
        if (isAborted(signal)) return;
        throwIfRejected(error);
        if (!isInterrupted) log(`The service is not responding (${reasonOf(error)}). Trying again.`);
        isInterrupted = true;
        await sleep(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    await egress.close();
  }
}

/** TypeScript would take `signal.aborted` for false after the check of the loop, although it changes during an await. */
const isAborted = (signal: AbortSignal) => signal.aborted;

/** Waits for the events after a cursor. Without a cursor, only returns the current one. */
function readNextEvents({ key, baseUrl, signal }: ListenOptions, after: string | undefined) {
  const query = after === undefined ? {} : { after, wait: longPollSeconds };
  return callEndpoint(
    routeOf(readEvents),
    { query },
    { baseUrl, signal, headers: { authorization: `Bearer ${key}` } },
  );
}

/** @throws ExpectedError for a 4xx response, except 429, because a retry would fail too */
function throwIfRejected(error: unknown): void {
  if (error instanceof ApiCallError && error.status >= 400 && error.status < 500 && error.status !== 429)
    throw new ExpectedError(`The service rejected the request: ${error.messages.join('; ')}`);
}

/**
 * Forwards one event.
 * @returns a line with the result
 */
async function forwardEvent(
  egress: Egress,
  event: HappenedEventObject,
  options: ListenOptions,
): Promise<string> {
  const { forward, secret, signal } = options;
  const timestamp = Date.now();
  const body = JSON.stringify({ ...event, webhookId, timestamp });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Headwater-Webhooks/1',
    ...signatureHeaders({ id: event.id, timestamp, body, secrets: [secret] }),
  };
  const eventLine = `${new Date(event.createdAt).toISOString()} ${event.event} ${event.id}`;
  try {
    const request = { method: 'POST', headers, body, signal, timeoutMs: FORWARD_TIMEOUT_MS };
    const reply = await egress.fetch(forward, request);
    reply.body.destroy();
    return `${eventLine} → ${reply.status}`;
  } catch (error) {
    return `${eventLine} → not delivered: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EgressError && error.failure === 'unreachable')
    return 'nothing listens at this address';
  return error instanceof Error ? error.message : String(error);
}
