import { addressGroup } from './client-address';
import type { IngestLog } from './ingest-log';
import type { KeyGuessLimiter } from './key-guess-limiter';
import type { AdmitPublish, PublisherConnection, PublishRequest, PublishSink } from './publish';
import { keyTail } from './publish-name';

export interface AdmissionContext {
  readonly admit: AdmitPublish;
  readonly guesses: KeyGuessLimiter;
  readonly log: IngestLog;
}

/**
 * Asks whether a publish may start. Null when not: refused by `admit`, no key at all, or the address guesses keys
 * (then `admit` is not even asked; the client cannot tell). Rejects when `admit` fails; that counts as no guess.
 */
export async function askAdmission(
  request: PublishRequest,
  connection: PublisherConnection,
  { admit, guesses, log }: AdmissionContext,
): Promise<PublishSink | null> {
  const group = addressGroup(request.ip);
  const fields = { connection: connection.id, ip: request.ip, key: keyTail(request.streamKey) };
  const allowed = request.streamKey !== '' && !guesses.isBlocked(group);
  const admission = allowed ? await admit(request, connection) : null;
  if (admission === 'refused') {
    // A key that opens a stream is no guess, however many encoders behind one address may not publish.
    log.info(fields, 'publish refused, though the key is right');
    return null;
  }
  if (admission) {
    log.info(fields, 'publish admitted');
    return admission;
  }
  log.info(fields, 'publish refused');
  if (allowed && guesses.refused(group, request.streamKey))
    log.warn({ ip: request.ip }, 'too many refused keys');
  return null;
}
