import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { metrics } from '@/lib/infra/metrics/metrics';
import type {
  AdmitPublish,
  PublishRequest,
  PublishSink,
  PublisherConnection,
} from '@/media-worker/media/packets/publish';
import type { KeyGuessLimiter } from './key-guess-limiter';

/** The part of a logger that ingest uses; a pino logger fits. */
export interface IngestLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Parses the application in the path of a server URL: `live/`, `/live`, `live?x=1` and `live/<streamKey>` all give
 * `live`.
 */
export function parseAppName(app: string): string {
  return segmentsOf(app)[0] ?? '';
}

/**
 * The stream key of a publish. Users paste it with blanks around it, together with the server URL, or as the end of the
 * server URL instead of into its own field; encoders may append `?user=…`.
 * @param name the publish name as sent
 * @param app the application as sent
 * @returns an empty string if there is no key
 */
export function streamKeyOf(name: string, app: string): string {
  return segmentsOf(name).at(-1) ?? segmentsOf(app).slice(1).at(-1) ?? '';
}

/** The segments of a path without its query, trimmed. */
function segmentsOf(path: string): string[] {
  const queryStart = path.indexOf('?');
  const segments = (queryStart === -1 ? path : path.slice(0, queryStart)).split('/');
  return segments.map((segment) => segment.trim()).filter((segment) => segment !== '');
}

/** The part of a key that logs may contain: `…` and its last four characters, or only `…` for a key under 12 characters. */
export function keyTail(key: string): string {
  return key.length < 12 ? '…' : `…${key.slice(-4)}`;
}

/** The dependencies that the server of a protocol passes to `askAdmission`. */
export interface AdmissionContext {
  readonly admit: AdmitPublish;
  readonly keyGuessLimiter: KeyGuessLimiter;
  readonly log: IngestLog;
}

/**
 * Checks whether a publish may start, and counts and logs the result.
 * @returns the sink for its packets; `draining` if this node accepts no publishes; null if the key is missing, unknown or
 * not allowed to publish now, or if too many keys of the client's network wait to be checked. A client must not learn which of
 * the reasons for null applies.
 * @throws errors of `admit`, which do not count as wrong keys
 */
export async function askAdmission(
  request: PublishRequest,
  connection: PublisherConnection,
  { admit, keyGuessLimiter, log }: AdmissionContext,
): Promise<PublishSink | 'draining' | null> {
  const { ip, streamKey } = request;
  const logFields = { connection: connection.id, ip, key: keyTail(streamKey) };
  if (streamKey === '') {
    metrics.publishesRejected.inc({ reason: 'no_key' });
    log.info(logFields, 'publish rejected: no key');
    return null;
  }
  const check = await keyGuessLimiter.check(networkOfIp(ip), streamKey, () => admit(request, connection));
  const admission = check.result === 'ok' ? check.value : null;
  if (admission === 'draining') {
    metrics.publishesRejected.inc({ reason: 'node_draining' });
    log.info(logFields, 'publish rejected: this node is draining');
    return admission;
  }
  if (admission !== null && admission !== 'rejected') {
    metrics.publishesAdmitted.inc();
    log.info({ ...logFields, ...admission.ids }, 'publish admitted');
    return admission;
  }
  // `admit` counts the rejection of an existing key, with its reason.
  if (check.result !== 'ok') metrics.publishesRejected.inc({ reason: rejectionReasons[check.result] });
  log.info(logFields, rejectionMessages[check.result]);
  if (check.result === 'wrong' && check.startsSerialChecks)
    log.warn({ ip }, 'many unknown stream keys from one address');
  return null;
}

/** Values of the label `reason` of the metric. */
const rejectionReasons = { wrong: 'unknown_key', busy: 'too_many_keys' } as const;

const rejectionMessages = {
  ok: 'publish rejected: valid key, but publishing is not allowed',
  wrong: 'publish rejected: unknown key',
  busy: 'publish rejected: too many pending key checks for this address',
};
