import { webrtcIssues } from '@/lib/core/streams/webrtc-issues';
import { readViewerAudio, viewerAudioPath } from '@/lib/domain/nodes';
import { errorAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import type {
  FeatureHost,
  SessionFeature,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';
import { Reordering } from '@/media-worker/media/packets/reordering';

const invalidReport = errorAnswer(400, 'Not a report about audio.');

/** Adds problems of WebRTC viewers to the issues of their stream. */
export class WebrtcIssues {
  readonly #watches = new Map<string, WebrtcWatch>();
  /** Session features; empty without WebRTC. */
  readonly features: readonly StartFeature[];

  constructor({ rtcPort }: { readonly rtcPort: number | undefined }) {
    this.features = rtcPort === undefined ? [] : [(host) => this.#start(host)];
  }

  /** Handles reports of the rtc process. */
  get writes(): InternalWrites {
    return {
      [viewerAudioPath]: (body) => {
        const report = readViewerAudio(body);
        if (!report) return Promise.resolve(invalidReport);
        this.#watches.get(report.playbackId)?.setAudioReason(report.reason);
        return Promise.resolve({ status: 204 });
      },
    };
  }

  #start(host: FeatureHost): SessionFeature {
    return new WebrtcWatch(host, {
      onPublish: (playbackId, watch) => this.#watches.set(playbackId, watch),
      onClosed: (playbackId, watch) => {
        if (this.#watches.get(playbackId) === watch) this.#watches.delete(playbackId);
      },
    });
  }
}

interface WatchCallbacks {
  /** Called at each publish with the playback id of the session. */
  readonly onPublish: (playbackId: string, watch: WebrtcWatch) => void;
  readonly onClosed: (playbackId: string, watch: WebrtcWatch) => void;
}

/** Reports what WebRTC viewers of one session cannot play: video with reordered frames, or the audio. */
class WebrtcWatch implements SessionFeature {
  readonly #host: FeatureHost;
  readonly #callbacks: WatchCallbacks;
  readonly #unsubscribe: () => void;
  #playbackId: string | null = null;
  #isReordered = false;
  #audioReason: string | null = null;

  constructor(host: FeatureHost, callbacks: WatchCallbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#unsubscribe = host.renditions.source.onBus((bus) => {
      const reordering = new Reordering();
      bus.subscribe({
        packet: (packet) => {
          if (packet.kind === 'video') this.#setReordered(reordering.observe(packet));
        },
        end: () => this.#setReordered(false),
      });
    });
  }

  follow({ playbackId }: Parameters<SessionFeature['follow']>[0]): void {
    this.#playbackId = playbackId;
    this.#callbacks.onPublish(playbackId, this);
  }

  /**
   * Reports whether viewers hear the audio.
   * @param reason why viewers hear no audio; null if they hear it
   */
  setAudioReason(reason: string | null): void {
    this.#audioReason = reason;
    this.#report();
  }

  close(): Promise<void> {
    this.#unsubscribe();
    if (this.#playbackId !== null) this.#callbacks.onClosed(this.#playbackId, this);
    return Promise.resolve();
  }

  #setReordered(isReordered: boolean): void {
    if (isReordered === this.#isReordered) return;
    this.#isReordered = isReordered;
    this.#report();
  }

  #report(): void {
    this.#host.report([
      ...(this.#isReordered ? [webrtcIssues.bFrames] : []),
      ...(this.#audioReason === null ? [] : [webrtcIssues.noAudio(this.#audioReason)]),
    ]);
  }
}
