import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, call } from '@/lib/client/call';
import { readEvents, type HappenedEventObject } from '@/lib/contract/webhooks/event-endpoints';
import { openEgress, type Egress } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-redirect';
import { signatureHeaders } from '@/lib/webhooks';
import { ExpectedError } from '../service/run-to-end';

export interface Listening {
  /** Address on the developer's machine. */
  readonly forward: string;
  readonly key: string;
  /** Address of the service. */
  readonly baseUrl: string;
  /** Signs what is forwarded. */
  readonly secret: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const waitSeconds = '25';
const pauseMs = 1_000;
const forwardMs = 15_000;
/** Stands where the id of a webhook would: there is none. */
const webhookId = '00000000-0000-4000-8000-000000000000';

/**
 * Reads the events of the key's account as they happen and posts them, signed like deliveries, until `signal`. A
 * receiver that fails gets no retry: the next event shows whether it works again.
 * @throws ExpectedError when the key is refused
 */
export async function listen(listening: Listening): Promise<void> {
  const { signal, say, forward, baseUrl } = listening;
  // The developer's own machine and network: nothing is forbidden here.
  const egress = openEgress({ allowCidrs: ['0.0.0.0/0', '::/0'] });
  try {
    let after: string | undefined;
    let interrupted = false;
    while (!signal.aborted) {
      try {
        const { events, cursor } = await next(listening, after);
        if (after === undefined)
          say(`Forwarding events of ${baseUrl} to ${forward}, signed with ${listening.secret}`);
        if (interrupted) say('The service is back.');
        interrupted = false;
        for (const event of events) say(await post(egress, event, listening));
        after = cursor;
      } catch (error) {
        if (isOver(signal)) return;
        refuse(error);
        if (!interrupted) say(`The service is not responding (${reasonOf(error)}). Trying again.`);
        interrupted = true;
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    await egress.close();
  }
}

const isOver = (signal: AbortSignal) => signal.aborted;

function next({ key, baseUrl, signal }: Listening, after: string | undefined) {
  const query = after === undefined ? {} : { after, wait: waitSeconds };
  return call(readEvents, { query }, { baseUrl, signal, headers: { authorization: `Bearer ${key}` } });
}

/** @throws ExpectedError for a refusal that will not change by itself */
function refuse(error: unknown): void {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
    throw new ExpectedError(`The service refused the request: ${error.messages.join('; ')}`);
}

/** @returns what came of it, in a line */
async function post(egress: Egress, event: HappenedEventObject, listening: Listening): Promise<string> {
  const { forward, secret, signal } = listening;
  const timestamp = Date.now();
  const body = JSON.stringify({ ...event, webhookId, timestamp });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Headwater-Webhooks/1',
    ...signatureHeaders({ id: event.id, timestamp, body, secrets: [secret] }),
  };
  const what = `${new Date(event.createdAt).toISOString()} ${event.event} ${event.id}`;
  try {
    const options = { method: 'POST', headers, body, signal, timeoutMs: forwardMs };
    const reply = await egress.fetch(forward, options);
    reply.body.destroy();
    return `${what} → ${reply.status}`;
  } catch (error) {
    return `${what} → not delivered: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EgressError && error.failure === 'unreachable')
    return 'nothing listens at this address';
  return error instanceof Error ? error.message : String(error);
}
