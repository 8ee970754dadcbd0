import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { Logger } from '@/lib/infra/logger';
import { AudioTranscoder } from '@/media-worker/live/transcode/audio-transcoder';
import type { AudioCodec, MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { AdmitPublish, PublishEnd, PublishIds, PublishSink } from '@/media-worker/media/packets/publish';

type ConvertedCodec = Exclude<AudioCodec, 'aac' | 'unknown'>;

/** The transcoder of the current codec. A publish that changes its codec gets another one. */
interface Conversion {
  readonly codec: ConvertedCodec;
  readonly transcoder: AudioTranscoder;
}

/** Wraps an admission, so that MP3, AC-3 and Opus audio of its publishes is converted to AAC. */
export const withAacAudio =
  (admit: AdmitPublish, log: Pick<Logger, 'warn'>): AdmitPublish =>
  async (request, connection) => {
    const admission = await admit(request, connection);
    return admission === null || typeof admission === 'string' ? admission : new AacSink(admission, log);
  };

/** Converts the audio of a publish to AAC if it is MP3, AC-3 or Opus. Other packets pass unchanged. */
class AacSink implements PublishSink {
  readonly #sink: PublishSink;
  readonly #log: Pick<Logger, 'warn'>;
  #conversion: Conversion | null = null;
  #isEnded = false;

  constructor(sink: PublishSink, log: Pick<Logger, 'warn'>) {
    this.#sink = sink;
    this.#log = log;
  }

  get ids(): PublishIds | undefined {
    return this.#sink.ids;
  }

  announce(tracks: AnnouncedTracks): void {
    this.#sink.announce?.(tracks);
  }

  push(packet: MediaPacket): void {
    if (packet.kind === 'video') this.#sink.push(packet);
    else if (packet.codec === 'aac' || packet.codec === 'unknown') {
      this.#stopConversion();
      this.#sink.push(packet);
    } else if (packet.role === 'frame') this.#transcoderOf(packet.codec).push(packet.payload, packet.dts);
  }

  pushLayer(layer: number, packet: VideoPacket): void {
    this.#sink.pushLayer?.(layer, packet);
  }

  end(reason: PublishEnd): void {
    this.#isEnded = true;
    this.#stopConversion();
    this.#sink.end(reason);
  }

  #transcoderOf(codec: ConvertedCodec): AudioTranscoder {
    if (this.#conversion?.codec === codec) return this.#conversion.transcoder;
    this.#stopConversion();
    const transcoder = new AudioTranscoder({
      codec,
      log: this.#log,
      onPacket: (packet) => {
        if (!this.#isEnded && this.#conversion?.transcoder === transcoder) this.#sink.push(packet);
      },
    });
    this.#conversion = { codec, transcoder };
    return transcoder;
  }

  #stopConversion(): void {
    void this.#conversion?.transcoder.close();
    this.#conversion = null;
  }
}
