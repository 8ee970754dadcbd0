import { setTimeout as delay } from 'node:timers/promises';
import { passphraseRejections, type PublishRejection } from '@/lib/core/streams/publish-admission';
import { metrics } from '@/lib/infra/metrics/metrics';
import { within } from '@/lib/infra/within';
import type { PublishSink } from '@/media-worker/media/packets/publish';
import { type AdmissionContext, askAdmission } from '@/media-worker/ingest/publisher/ask-admission';
import type { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { reasonOf } from '@/media-worker/ingest/publisher/publisher-limits';
import { rejections, type RejectionCode } from './handshake';
import { type KeyMaterial, StreamCipher } from './key-material';
import type { Call } from './read-call';
import type { SrtLimits } from './srt-limits';

export interface DecisionContext extends AdmissionContext {
  readonly limits: Pick<SrtLimits, 'admissionTimeoutMs' | 'minRejectionMs'>;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
}

export interface AdmittedCall {
  readonly sink: PublishSink;
  /** Cipher of the stream; null without encryption. */
  readonly cipher: StreamCipher | null;
}

/** Decides whether a caller may publish. If the decision comes too late, the publish ends immediately. */
export async function decideCall(
  { streamKey, keyMaterial }: Call,
  publish: PublishLifecycle,
  context: DecisionContext,
): Promise<AdmittedCall | { readonly rejection: RejectionCode }> {
  const { limits, now, log } = context;
  const askedAtMs = now();
  const encryption = new EncryptionCheck(keyMaterial);
  const checkPassphrase = (passphrase: string | null) => encryption.check(passphrase);
  const request = { app: 'live', streamKey, ip: publish.ip, checkPassphrase };
  const admission = askAdmission(request, publish, context);
  let rejection: RejectionCode = rejections.unavailable;
  try {
    const answer = await within(limits.admissionTimeoutMs, admission);
    if (answer !== null && answer !== 'draining') return { sink: answer, cipher: encryption.cipher };
    if (answer === null) rejection = encryption.rejection;
  } catch (error) {
    metrics.publishesRejected.inc({ reason: 'unavailable' });
    log.info({ connection: publish.id, why: reasonOf(error) }, 'publish rejected: no decision');
    publish.end('lost');
    // A late sink has to end at the live process, so it is attached to the ended publish.
    admission.then(
      (lateAdmission) =>
        lateAdmission !== null && lateAdmission !== 'draining' && publish.attachSink(lateAdmission),
      () => undefined,
    );
  }
  await delay(Math.max(0, limits.minRejectionMs - (now() - askedAtMs)));
  return { rejection };
}

/** Compares the encryption of a caller with the passphrase of its stream, once the stream is known. */
class EncryptionCheck {
  readonly #keyMaterial: KeyMaterial | null;
  #cipher: StreamCipher | null = null;
  #rejection: RejectionCode = rejections.forbidden;

  constructor(keyMaterial: KeyMaterial | null) {
    this.#keyMaterial = keyMaterial;
  }

  get cipher(): StreamCipher | null {
    return this.#cipher;
  }

  /** Rejection code for a caller that is not admitted. */
  get rejection(): RejectionCode {
    return this.#rejection;
  }

  /**
   * Checks the keys of the caller.
   * @param passphrase passphrase of the stream; null if it has none
   * @returns the rejection; null if the encryption matches
   */
  async check(passphrase: string | null): Promise<PublishRejection | null> {
    const keyMaterial = this.#keyMaterial;
    if (passphrase === null && keyMaterial === null) return null;
    if (keyMaterial === null)
      return this.#reject(rejections.passphraseRequired, passphraseRejections.missing);
    if (passphrase === null)
      return this.#reject(rejections.passphraseRequired, passphraseRejections.unexpected);
    const cipher = new StreamCipher(passphrase);
    if (!(await cipher.installKeys(keyMaterial)))
      return this.#reject(rejections.badPassphrase, passphraseRejections.different);
    this.#cipher = cipher;
    this.#rejection = rejections.forbidden;
    return null;
  }

  #reject(code: RejectionCode, rejection: PublishRejection): PublishRejection {
    this.#rejection = code;
    return rejection;
  }
}
