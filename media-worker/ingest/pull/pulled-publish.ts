import { omitUndefined } from '@/lib/core/omit-undefined';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { PublishRejection } from '@/lib/core/streams/publish-admission';
import { newId } from '@/lib/infra/ids';
import { metrics } from '@/lib/infra/metrics/metrics';
import { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { ProtocolViolation } from '@/media-worker/ingest/publisher/publisher-limits';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Admission, AdmitPublish, PublishEnd } from '@/media-worker/media/packets/publish';

interface PulledPublishOptions {
  readonly admit: AdmitPublish;
  readonly streamKey: string;
  /** Host of the source, as the publisher's address in the log and in events. */
  readonly host: string;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called once, when the stream accepts the media. */
  readonly onAdmitted: () => void;
  /** Called when the stream rejects the media or its publish has ended. */
  readonly onEnd: (finding: PullFinding) => void;
}

/** Limits of the queue for packets that arrive before the admission: a few seconds at a high bitrate. */
const limits = { queuedPackets: 5_000, queuedBytes: 32 * 1024 * 1024 } as const;

/** The publish of one pull attempt. It requests admission with the first media, as an encoder would. */
export class PulledPublish {
  readonly #options: PulledPublishOptions;
  readonly #lifecycle: PublishLifecycle;
  #hasRequestedAdmission = false;
  #rejection: PublishRejection | null = null;

  constructor(options: PulledPublishOptions) {
    const { host, now } = options;
    this.#options = options;
    this.#lifecycle = new PublishLifecycle({
      id: newId(),
      ip: host,
      source: 'encoder',
      limits,
      now,
      onRejected: (rejection) => (this.#rejection = rejection),
      close: (rejection) => this.#onRejection(rejection),
      onEnd: () => undefined,
    });
  }

  announce(tracks: AnnouncedTracks): void {
    this.#lifecycle.announce(tracks);
  }

  /** Publishes a packet. The first one requests the admission. */
  pushMedia(packet: MediaPacket): void {
    try {
      this.#lifecycle.pushMedia(packet);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.#onRejection(error.message);
      return;
    }
    if (this.#hasRequestedAdmission) return;
    this.#hasRequestedAdmission = true;
    void this.#requestAdmission();
  }

  end(reason: PublishEnd): void {
    this.#lifecycle.end(reason);
  }

  async #requestAdmission(): Promise<void> {
    const { admit, streamKey, host: ip, onAdmitted } = this.#options;
    const answer = await admit({ app: 'live', streamKey, ip }, this.#lifecycle).catch((): Admission => null);
    if (answer === null || typeof answer === 'string') {
      this.#onRejection(
        answer === 'draining' ? 'this server is going out of service' : this.#rejection?.message,
      );
      return;
    }
    metrics.publishesAdmitted.inc();
    const hasEnded = this.#lifecycle.hasEnded;
    this.#lifecycle.attachSink(answer);
    if (!hasEnded) onAdmitted();
  }

  #onRejection(detail: string | undefined): void {
    this.#options.onEnd({ outcome: 'publish_refused', ...omitUndefined({ detail }) });
  }
}
