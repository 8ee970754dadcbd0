import { PassThrough } from 'node:stream';
import type { Logger } from '@/lib/infra/logger';
import { planAudioToAac } from '@/media-worker/media/ffmpeg/opus-args';
import { type FfmpegRun, runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import {
  encodeMatroskaAudioHead,
  encodeMatroskaFrame,
  type MatroskaAudioCodec,
} from '@/media-worker/media/packets/matroska-writer';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';
import { RenditionSocket } from './rendition-socket';

interface AudioTranscoderOptions {
  readonly codec: MatroskaAudioCodec;
  readonly log: Pick<Logger, 'warn'>;
  readonly onPacket: (packet: AudioPacket) => void;
}

/** Offset of the encoder's timestamps, because its first frame starts before the first audio and must not become negative. */
const TIMESTAMP_OFFSET_MS = 1_000;
/** Maximum bytes that wait for ffmpeg, a few seconds of audio. Further packets are dropped. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Delay from the end of a failed ffmpeg to the start of the next one. */
const RESTART_DELAY_MS = 2_000;
/** Encoding audio needs a fraction of this memory. ffmpeg only writes to a socket. */
const sandbox = { memory: 1_000_000_000, fileSize: 0, nice: 0 };

/**
 * Encodes the audio of one publisher as AAC with one ffmpeg without network, because HLS players, MP4 files and RTMP targets
 * need AAC.
 */
export class AudioTranscoder {
  readonly #options: AudioTranscoderOptions;
  #input: PassThrough | null = null;
  #run: FfmpegRun | null = null;
  #restartTimer: NodeJS.Timeout | undefined;
  /** Presentation time that is 0 for the current ffmpeg. */
  #originMs = 0;
  #isClosed = false;
  #isWaitingForRestart = false;

  constructor(options: AudioTranscoderOptions) {
    this.#options = options;
  }

  /**
   * Encodes a packet. Packets are dropped while ffmpeg is too slow or waits for its restart.
   * @param ptsMs presentation time of the packet
   */
  push(data: Buffer, ptsMs: number): void {
    if (this.#isClosed || data.length === 0) return;
    const input = this.#input ?? this.#start(ptsMs);
    const pts = Math.round(ptsMs - this.#originMs);
    if (!input || pts < 0 || input.writableLength > MAX_WAITING_BYTES) return;
    input.write(encodeMatroskaFrame({ pts, key: true, data }));
  }

  /** Encodes the remaining audio and stops. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restartTimer);
    this.#input?.end();
    await this.#run?.stop();
  }

  /** Starts ffmpeg; null if a restart is not due yet. */
  #start(firstPtsMs: number): PassThrough | null {
    if (this.#isWaitingForRestart) return null;
    this.#originMs = firstPtsMs - TIMESTAMP_OFFSET_MS;
    const input = new PassThrough();
    input.write(encodeMatroskaAudioHead(this.#options.codec));
    this.#input = input;
    void this.#encode(input, this.#originMs)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'audio of a publisher not encoded');
      })
      .finally(() => this.#onEnd(input));
    return input;
  }

  async #encode(input: PassThrough, originMs: number): Promise<void> {
    const reader = new FlvReader((packet) => {
      if (packet.kind !== 'audio') return;
      const dts = Math.round(packet.dts + originMs);
      this.#options.onPacket({ ...packet, dts, pts: dts });
    });
    const socket = await RenditionSocket.open({
      onData: (chunk) => reader.push(chunk),
      onEnd: () => undefined,
    });
    try {
      const run = runFfmpeg(planAudioToAac(socket.path), { stdin: input, sandbox });
      this.#run = run;
      const result = await run.whenDone;
      if (!result.ok && !this.#isClosed) throw new Error(result.reason);
    } finally {
      socket.close();
    }
  }

  #onEnd(input: PassThrough): void {
    input.destroy();
    this.#input = null;
    if (this.#isClosed) return;
    this.#isWaitingForRestart = true;
    this.#restartTimer = setTimeout(() => (this.#isWaitingForRestart = false), RESTART_DELAY_MS);
  }
}
