import { PassThrough } from 'node:stream';
import type { Logger } from '@/lib/infra/logger';
import { RenditionSocket } from '@/media-worker/live/transcode/rendition-socket';
import { opusToAacPlan } from '@/media-worker/media/ffmpeg/opus-args';
import { type FfmpegRun, runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import { matroskaFrame, matroskaOpusHead } from '@/media-worker/media/packets/matroska-writer';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';

interface SoundEncoderOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly onPacket: (packet: AudioPacket) => void;
}

/** Its times begin here, so that none becomes negative: the encoder's first frame lies before the first sound. */
const BEGIN_MS = 1_000;
/** What may wait for ffmpeg: some seconds. More is lost. */
const MAX_WAITING_BYTES = 256 * 1024;
/** From the end of an ffmpeg that failed to the start of the next one. */
const RESTART_MS = 2_000;
/** Sound takes a fraction of it. It writes to a socket only. */
const sandbox = { memory: 1_000_000_000, fileSize: 0, nice: 0 };

/** Makes AAC of the Opus of one publisher, by one ffmpeg without network: players of HLS, MP4 files and RTMP targets want AAC. */
export class SoundEncoder {
  readonly #options: SoundEncoderOptions;
  #input: PassThrough | null = null;
  #run: FfmpegRun | null = null;
  #restarting: NodeJS.Timeout | undefined;
  #baseMs = 0;
  #isClosed = false;
  #isFailed = false;

  constructor(options: SoundEncoderOptions) {
    this.#options = options;
  }

  /** @param ms when it is heard */
  push(data: Buffer, ms: number): void {
    if (this.#isClosed || data.length === 0) return;
    const input = this.#input ?? this.#start(ms);
    const pts = Math.round(ms - this.#baseMs);
    if (!input || pts < 0 || input.writableLength > MAX_WAITING_BYTES) return;
    input.write(matroskaFrame({ pts, key: true, data }));
  }

  /** What is in it is still encoded. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restarting);
    this.#input?.end();
    await this.#run?.stop();
  }

  /** Null while it is not due. */
  #start(ms: number): PassThrough | null {
    if (this.#isFailed) return null;
    this.#baseMs = ms - BEGIN_MS;
    const input = new PassThrough();
    input.write(matroskaOpusHead(2));
    this.#input = input;
    void this.#work(input, this.#baseMs)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'sound of a WebRTC publisher not encoded');
      })
      .finally(() => this.#ended(input));
    return input;
  }

  async #work(input: PassThrough, baseMs: number): Promise<void> {
    const reader = new FlvReader((packet) => {
      if (packet.kind !== 'audio') return;
      const dts = Math.round(packet.dts + baseMs);
      this.#options.onPacket({ ...packet, dts, pts: dts });
    });
    const socket = await RenditionSocket.open({ data: (chunk) => reader.push(chunk), end: () => undefined });
    try {
      const run = runFfmpeg(opusToAacPlan(socket.path), { stdin: input, sandbox });
      this.#run = run;
      const result = await run.done;
      if (!result.ok && !this.#isClosed) throw new Error(result.reason);
    } finally {
      socket.close();
    }
  }

  #ended(input: PassThrough): void {
    input.destroy();
    this.#input = null;
    if (this.#isClosed) return;
    this.#isFailed = true;
    this.#restarting = setTimeout(() => (this.#isFailed = false), RESTART_MS);
  }
}
