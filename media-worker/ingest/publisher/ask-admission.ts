import { clientNetwork } from '@/lib/infra/egress/ip-address';
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
  const end = path.indexOf('?');
  const segments = (end === -1 ? path : path.slice(0, end)).split('/');
  return segments.map((segment) => segment.trim()).filter((segment) => segment !== '');
}

/** The part of a key that logs may contain: its last four characters, or nothing if the key is too short. */
export function keyTail(key: string): string {
  return key.length < 12 ? '…' : `…${key.slice(-4)}`;
}

export interface AdmissionContext {
  readonly admit: AdmitPublish;
  readonly guesses: KeyGuessLimiter;
  readonly log: IngestLog;
}

/**
 * Checks whether a publish may start. Null if it may not: `admit` rejected it, it has no key, or too many keys of
 * this address wait; the client cannot tell which. `draining` does not depend on the key, so the client may know.
 * Rejects if `admit` fails, which does not count as a guess.
 */
export async function askAdmission(
  request: PublishRequest,
  connection: PublisherConnection,
  { admit, guesses, log }: AdmissionContext,
): Promise<PublishSink | 'draining' | null> {
  const { ip, streamKey } = request;
  const fields = { connection: connection.id, ip, key: keyTail(streamKey) };
  if (streamKey === '') {
    metrics.publishesRefused.inc({ reason: 'no_key' });
    log.info(fields, 'publish rejected: no key');
    return null;
  }
  const check = await guesses.check(clientNetwork(ip), streamKey, () => admit(request, connection));
  const admission = check.result === 'ok' ? check.value : null;
  if (admission === 'draining') {
    metrics.publishesRefused.inc({ reason: 'node_draining' });
    log.info(fields, 'publish rejected: this node is draining');
    return admission;
  }
  if (admission !== null && admission !== 'refused') {
    metrics.publishesAdmitted.inc();
    log.info({ ...fields, ...admission.names }, 'publish admitted');
    return admission;
  }
  // Rejections of existing keys are counted elsewhere, with their reason.
  if (check.result !== 'ok') metrics.publishesRefused.inc({ reason: refusalReasons[check.result] });
  log.info(fields, refusals[check.result]);
  if (check.result === 'wrong' && check.startsGuessing)
    log.warn({ ip }, 'many unknown stream keys from one address');
  return null;
}

const refusalReasons = { wrong: 'unknown_key', busy: 'too_many_keys' } as const;

const refusals = {
  ok: 'publish rejected: valid key, but publishing is not allowed',
  wrong: 'publish rejected: unknown key',
  busy: 'publish rejected: too many pending key checks for this address',
};
