import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import { noProgram, type ProgramSettings } from '@/lib/domain/streams';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import {
  joinRecords,
  SlatePlayer,
  createSlateSpec,
  type MakeSlate,
  type Slate,
  type SlateSpec,
} from './slate';

export interface ProgramSlateOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: the program has no slate. */
  readonly makeSlate: MakeSlate | undefined;
  readonly emit: (packet: MediaPacket) => void;
}

const RETRY_DELAY_MS = 10_000;

/** The slate of one program, made in the background as soon as the video of an encoder is configured. */
export class ProgramSlate {
  readonly #options: ProgramSlateOptions;
  readonly #closing = new AbortController();
  #settings: ProgramSettings = noProgram;
  /** Configurations that the program has announced. */
  #announcedConfigs: Record<MediaPacket['kind'], Buffer | null> = { video: null, audio: null };
  /** Configuration of the last encoder on air. */
  #encoderConfig: VideoPacket | null = null;
  /** The joined configuration record of the slate and of the encoder with the record `encoder`. */
  #jointRecord: { readonly encoder: Buffer; readonly record: Buffer } | null = null;
  #slate: { readonly slate: Slate; readonly spec: SlateSpec } | null = null;
  #specInProgress: SlateSpec | null = null;
  #retryTimer: NodeJS.Timeout | undefined;
  #player: SlatePlayer | null = null;

  constructor(options: ProgramSlateOptions) {
    this.#options = options;
  }

  get ready(): boolean {
    return this.#settings.slate && this.#slate !== null;
  }

  /** Whether the first slate is being made. */
  get isComing(): boolean {
    return this.#settings.slate && this.#slate === null && this.#specInProgress !== null;
  }

  get isOn(): boolean {
    return this.#player !== null;
  }

  configure(settings: ProgramSettings): void {
    this.#settings = settings;
    this.#prepare();
  }

  /**
   * Makes a slate for the configuration of the encoder on air.
   * @returns the packet to show. Once the slate has been on air, a configuration includes the parameter sets of the
   * slate.
   */
  setEncoderConfig(packet: MediaPacket): MediaPacket {
    if (packet.kind !== 'video' || packet.role !== 'config') return packet;
    this.#encoderConfig = packet;
    this.#prepare();
    const jointRecord =
      this.#jointRecord?.encoder.equals(packet.payload) === true ? this.#jointRecord.record : null;
    return jointRecord ? { ...packet, payload: jointRecord } : packet;
  }

  /** Records a configuration that the program announced. */
  recordConfig({ kind, payload }: MediaPacket): void {
    this.#announcedConfigs[kind] = payload;
  }

  /** Whether the program has announced these configurations. Audio without a configuration stays silent. */
  isAnnounced(configs: readonly MediaPacket[]): boolean {
    return (['video', 'audio'] as const).every((kind) => {
      const payload = configs.findLast((config) => config.kind === kind)?.payload;
      if (!payload) return kind === 'audio';
      return this.#announcedConfigs[kind]?.equals(payload) === true;
    });
  }

  /** Configurations for the slate's video and audio. */
  configs(): MediaPacket[] {
    const { slate } = this.#slate ?? {};
    if (!slate) return [];
    const configFields = { role: 'config', dts: 0, pts: 0 } as const;
    const video = {
      ...configFields,
      kind: 'video',
      codec: 'avc',
      key: false,
      payload: this.#record(slate),
    } as const;
    const { audio } = this.#announcedConfigs;
    if (!audio || !SlatePlayer.supportsSilence(audio)) return [video];
    return [video, { ...configFields, kind: 'audio', codec: 'aac', payload: audio }];
  }

  /** Puts the slate on air, from its first frame. */
  start(): void {
    this.stop();
    if (!this.#slate) return;
    const { clock, emit } = this.#options;
    this.#player = new SlatePlayer(this.#slate.slate, this.#announcedConfigs.audio, emit, clock);
  }

  stop(): void {
    this.#player?.stop();
    this.#player = null;
  }

  close(): void {
    this.stop();
    clearTimeout(this.#retryTimer);
    this.#closing.abort();
  }

  /** The configuration record that announces the slate; joined with that of the encoder if possible. */
  #record({ record }: Slate): Buffer {
    const encoder = this.#encoderConfig;
    const jointRecord = encoder && joinRecords(encoder, record);
    if (!jointRecord) return record;
    this.#jointRecord = { encoder: encoder.payload, record: jointRecord };
    return jointRecord;
  }

  /**
   * Makes the slate if its specification has changed. One slate is made at a time, and a slate on air is not
   * replaced.
   */
  #prepare(): void {
    const { makeSlate, log } = this.#options;
    const { slate, title, slatePicture: picture } = this.#settings;
    if (!makeSlate || !slate || !this.#encoderConfig || this.#specInProgress || this.#closing.signal.aborted)
      return;
    const spec = createSlateSpec(this.#encoderConfig, null, { title, picture });
    if (!spec || isSameSlate(spec, this.#slate?.spec)) return;
    this.#specInProgress = spec;
    clearTimeout(this.#retryTimer);
    void makeSlate(spec, this.#closing.signal)
      .then(
        (slate) => {
          this.#slate = { slate, spec };
          return true;
        },
        (error: unknown) => {
          if (!this.#closing.signal.aborted) log.warn({ err: error }, 'slate not made; trying again');
          return false;
        },
      )
      .then((isMade) => {
        this.#specInProgress = null;
        if (isMade) this.#prepare();
        else if (!this.#closing.signal.aborted) this.#retryLater();
      });
  }

  #retryLater(): void {
    this.#retryTimer = setTimeout(() => this.#prepare(), RETRY_DELAY_MS);
    this.#retryTimer.unref();
  }
}

const isSameSlate = (a: SlateSpec, b: SlateSpec | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
