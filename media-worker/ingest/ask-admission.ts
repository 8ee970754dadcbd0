import { clientNetwork } from '@/lib/infra/ip-address';
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
 * Asks whether a publish may start. Null when not: refused by `admit`, no key at all, or too many keys of this address
 * wait to be checked; the client cannot tell. Rejects when `admit` fails; that counts as no guess.
 */
export async function askAdmission(
  request: PublishRequest,
  connection: PublisherConnection,
  { admit, guesses, log }: AdmissionContext,
): Promise<PublishSink | null> {
  const { ip, streamKey } = request;
  const fields = { connection: connection.id, ip, key: keyTail(streamKey) };
  if (streamKey === '') {
    log.info(fields, 'publish rejected: no key');
    return null;
  }
  const checked = await guesses.check(clientNetwork(ip), streamKey, () => admit(request, connection));
  if (checked.result === 'ok' && checked.value !== 'refused') {
    log.info(fields, 'publish admitted');
    return checked.value;
  }
  log.info(fields, refusals[checked.result]);
  if (checked.result === 'wrong' && checked.startsGuessing)
    log.warn({ ip }, 'many unknown stream keys from one address');
  return null;
}

const refusals = {
  ok: 'publish rejected: valid key, but publishing is not allowed',
  wrong: 'publish rejected: unknown key',
  busy: 'publish rejected: too many pending key checks for this address',
};
