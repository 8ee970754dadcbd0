import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import type { AudioCodec, MediaPacket, VideoCodec } from '@/media-worker/media/packets/media-packet';
import { type AacUnit, AdtsReader } from './adts-reader';
import { buildAv1Frame } from './av1-access-unit';
import { avcFrameFromAnnexB, type CodedFrame } from './avc-access-unit';
import { LatmReader } from './latm-reader';
import { hevcFrameFromAnnexB } from './hevc-access-unit';
import { parseOpusUnits } from './opus-units';
import { type Pes, PesReader } from './pes-reader';
import { PesTimes } from './pes-times';

const TICKS_PER_MS = 90;
/** Durations of a PES packet that are assumed before two time stamps show them, ms. */
const USUAL_VIDEO_MS = 40;
const USUAL_AUDIO_MS = 32;

/** Format of the audio of a program: a codec, or AAC in LATM instead of ADTS. */
export type TsAudioFormat = AudioCodec | 'latm';

/** Reads the payloads of the packets of one PID. */
export interface PayloadReader {
  /** @param isStart whether a section or PES packet starts in the payload */
  push(payload: Buffer, isStart: boolean): void;
  /** Drops incomplete data after lost packets. */
  reset(): void;
  /** Called at the end of the stream. */
  end(): void;
}

interface TrackContext {
  readonly onPacket: (packet: MediaPacket) => void;
  readonly slab: PayloadSlab;
  /** Turns 33-bit times of the program into continuous ones. */
  readonly unwrap: (ticks: number) => number;
}

/** Reads the packets of one video track. */
export function createVideoReader(
  codec: VideoCodec,
  { onPacket, slab, unwrap }: TrackContext,
): PayloadReader {
  const pesTimes = new PesTimes(unwrap, USUAL_VIDEO_MS);
  return withReset(
    new PesReader((pes) => {
      const times = pesTimes.advance(pes);
      const frame = times && parseFrame(codec, pes.data, slab);
      if (frame) onPacket({ kind: 'video', codec, role: 'frame', ...times, ...frame });
    }),
    () => pesTimes.reset(),
  );
}

/** Reads the packets of one audio track. */
export function createAudioReader(audio: TsAudioFormat, context: TrackContext): PayloadReader {
  return audio === 'aac' || audio === 'latm'
    ? createAacReader(audio === 'latm', context)
    : createCodedAudioReader(audio, context);
}

function createCodedAudioReader(codec: AudioCodec, { onPacket, unwrap }: TrackContext): PayloadReader {
  const pesTimes = new PesTimes(unwrap, USUAL_AUDIO_MS);
  const onPes = (pes: Pes): void => {
    const times = pesTimes.advance(pes);
    if (!times) return;
    const commonFields = { kind: 'audio', codec, role: 'frame' } as const;
    if (codec !== 'opus') onPacket({ ...commonFields, ...times, payload: pes.data });
    else
      for (const { atMs, data } of parseOpusUnits(pes.data)) {
        const dts = Math.round(times.dts + atMs);
        onPacket({ ...commonFields, dts, pts: dts, payload: data });
      }
  };
  return withReset(new PesReader(onPes), () => pesTimes.reset());
}

/** @param isLatm whether the program map announces LATM; some encoders announce it and send ADTS */
function createAacReader(isLatm: boolean, { onPacket, slab, unwrap }: TrackContext): PayloadReader {
  let announcedRecord: Buffer | null = null;
  let units: AdtsReader | LatmReader | null = null;
  const onUnit = ({ ticks, config, unit }: AacUnit): void => {
    const dts = Math.round(ticks / TICKS_PER_MS);
    const commonFields = { kind: 'audio', codec: 'aac', dts, pts: dts } as const;
    if (!announcedRecord?.equals(config)) onPacket({ ...commonFields, role: 'config', payload: config });
    announcedRecord = config;
    onPacket({ ...commonFields, role: 'frame', payload: slab.store(unit) });
  };
  const onPes = ({ data, pts }: Pes): void => {
    units ??= (startsWithLatm(data) ?? isLatm) ? new LatmReader(onUnit) : new AdtsReader(onUnit);
    units.push(data, pts === null ? null : unwrap(pts));
  };
  return withReset(new PesReader(onPes), () => units?.reset());
}

/** Whether the data begins with the syncword of LOAS; null if it begins with neither that nor the syncword of ADTS. */
function startsWithLatm(data: Buffer): boolean | null {
  const head = data.length < 2 ? 0 : data.readUInt16BE(0);
  if ((head & 0xff_e0) === 0x56_e0) return true;
  return (head & 0xff_f6) === 0xff_f0 ? false : null;
}

const withReset = (reader: PesReader, reset: () => void): PayloadReader => ({
  push: (payload, isStart) => reader.push(payload, isStart),
  reset: () => {
    reader.reset();
    reset();
  },
  end: () => reader.end(),
});

/**
 * Parses an access unit; null if it has no frame. Other codecs pass unchanged: the packager rejects unsupported ones by name.
 */
function parseFrame(codec: VideoCodec, accessUnit: Buffer, slab: PayloadSlab): CodedFrame | null {
  if (codec === 'avc') return avcFrameFromAnnexB(accessUnit, slab);
  if (codec === 'hevc') return hevcFrameFromAnnexB(accessUnit, slab);
  if (codec === 'av1') return buildAv1Frame(accessUnit);
  return { key: false, payload: accessUnit };
}
