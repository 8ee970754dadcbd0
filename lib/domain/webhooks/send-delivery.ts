import type { SystemContext } from '@/lib/domain/context';
import { replyHeaders } from '@/lib/core/reply-text';
import { readRetryAfter } from '@/lib/core/webhooks/retry-schedule';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-redirect';
import { traceparent } from '@/lib/infra/tracing';
import type { StartedDelivery } from './start-deliveries';
import { signatureHeaders } from './sign-delivery';
import { defined } from '@/lib/core/defined';

/** Timeout of one attempt, from the connection to the last read byte of the response. */
const defaultTimeoutMs = 15_000;
/** Maximum bytes that are read of the response body, and stored in the log. */
const maxReadBytes = 16_384;
const loggedBytes = 1_024;

export interface SentRequest {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Part of a response that the log stores. */
interface LoggedResponse {
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64 text. */
  readonly body: string;
}

/** Result of one attempt. */
export interface Outcome {
  /** `stopped`: the process shut down, and the attempt does not count. */
  readonly result: 'accepted' | 'refused' | 'gone' | 'skipped' | 'stopped';
  /** Reason of the failure, as a message for the user. */
  readonly error?: string;
  readonly request?: SentRequest;
  readonly status?: number;
  readonly response?: LoggedResponse;
  /** Remote address; absent without a connection. */
  readonly ip?: string;
  readonly retryAfterMs?: number | undefined;
  readonly durationMs: number;
}

const skipReasons = {
  disabled: 'skipped: the webhook is disabled',
  deleted: 'skipped: the webhook was deleted',
  suspended: 'skipped: the team is suspended',
} as const;

/**
 * Sends one delivery, signed over the exact bytes of the body. Redirects are not followed; time and size are limited.
 * Errors of the receiver are returned, not thrown.
 */
export async function sendDelivery(
  ctx: SystemContext,
  egress: Egress,
  attempt: StartedDelivery,
  { signal, timeoutMs = defaultTimeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<Outcome> {
  if (attempt.off) return { result: 'skipped', error: skipReasons[attempt.off], durationMs: 0 };
  const request = requestOf(ctx, attempt);
  let ip: string | undefined;
  const onConnected = (address: string) => (ip = address);
  const startedAt = ctx.clock.monotonic();
  const endOf = () => ({
    request,
    durationMs: Math.round(ctx.clock.monotonic() - startedAt),
    ...defined({ ip }),
  });
  try {
    const { method, headers, body } = request;
    const maxReplyBytes = Number.MAX_SAFE_INTEGER;
    const keep = attempt.webhookId;
    const options = { method, headers, body, signal, timeoutMs, maxReplyBytes, keep, onConnected };
    const reply = await egress.fetch(request.url, options);
    const text = await readHead(reply);
    return { ...outcomeOf(reply, ctx.clock.now().getTime(), text), ...endOf() };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const result = error.failure === 'aborted' ? 'stopped' : 'refused';
    if (result === 'refused')
      ctx.log.info(
        { err: error, webhookId: attempt.webhookId, deliveryId: attempt.id },
        'webhook delivery failed',
      );
    return { result, error: error.message, ...endOf() };
  }
}

/** The request of an attempt. Every attempt has the same event id, but a new timestamp and signature. */
function requestOf(ctx: SystemContext, attempt: StartedDelivery): SentRequest {
  const { eventId: id, webhookId, url, event, sequence, test, payload, happenedAt } = attempt;
  const timestamp = ctx.clock.now().getTime();
  const parent = traceparent();
  const content = typeof payload === 'object' ? payload : {};
  const body = JSON.stringify({
    id,
    webhookId,
    createdAt: happenedAt.getTime(),
    timestamp,
    event,
    ...(sequence === null ? {} : { sequence }),
    ...(test ? { test } : {}),
    ...content,
  });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Headwater-Webhooks/1',
    accept: '*/*',
    ...(parent === null ? {} : { traceparent: parent }),
    ...signatureHeaders({ id, timestamp, body, secrets: secretsOf(ctx, attempt) }),
  };
  return { url, method: 'POST', headers, body };
}

function secretsOf(ctx: SystemContext, attempt: StartedDelivery): string[] {
  const owner = { kind: 'webhook-secret', id: attempt.webhookId, teamId: attempt.teamId } as const;
  const sealedSecrets = [attempt.secretSealed, attempt.secretPreviousSealed];
  return sealedSecrets.flatMap((sealedSecret) =>
    sealedSecret ? [ctx.secrets.open(owner, sealedSecret)] : [],
  );
}

/** Reads the start of the response body and discards the rest. */
async function readHead({ body }: EgressReply): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body and its connection.
    if (bytes >= maxReadBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, loggedBytes);
}

function outcomeOf({ status, statusText, headers }: EgressReply, now: number, head: Buffer) {
  const response = {
    statusText: statusText.slice(0, 200).replaceAll('\0', ''),
    headers: replyHeaders(headers),
    body: head.toString('base64'),
  };
  if (status >= 200 && status < 300) return { result: 'accepted', status, response } as const;
  const redirectNote = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  const error = `the receiver answered ${status}${redirectNote}`;
  if (status === 410) return { result: 'gone', status, response, error } as const;
  const retryAfter = headers['retry-after'];
  const retryAfterMs = readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, now);
  return { result: 'refused', status, response, error, retryAfterMs } as const;
}
