import { BitWriter } from './bit-writer';

/** Fields of an H.264 SPS; sizes in blocks of 16 pixels, crop in pairs of pixels. */
export interface SpsFields {
  readonly profile: number;
  readonly level: number;
  readonly widthInBlocks: number;
  readonly heightInUnits: number;
  readonly interlaced: boolean;
  readonly orderCountType: 0 | 1 | 2;
  readonly crop: readonly [left: number, right: number, top: number, bottom: number] | undefined;
  readonly sar: readonly [number, number] | undefined;
  readonly timing: { readonly unitsInTick: number; readonly timeScale: number } | undefined;
  /** Chroma format, for profiles that signal it; 1 is 4:2:0, the default. */
  readonly chroma?: 1 | 2 | 3;
  readonly bitDepth?: number;
}

/** 1280×720, progressive. */
export const PLAIN_SPS: SpsFields = {
  profile: 77,
  level: 31,
  widthInBlocks: 80,
  heightInUnits: 45,
  interlaced: false,
  orderCountType: 0,
  crop: undefined,
  sar: undefined,
  timing: undefined,
};

const CHROMA_PROFILES = [100, 110, 122, 244];

/** An SPS NAL unit with these fields and emulation prevention. */
export function spsOf(fields: SpsFields): Buffer {
  const writer = new BitWriter().bits(fields.profile, 8).bits(0, 8).bits(fields.level, 8).ue(0);
  if (CHROMA_PROFILES.includes(fields.profile)) {
    const { chroma = 1, bitDepth = 8 } = fields;
    writer.ue(chroma);
    if (chroma === 3) writer.bits(0, 1);
    writer.ue(bitDepth - 8).ue(bitDepth - 8).bits(0, 1).bits(1, 1); // prettier-ignore
    writer.bits(1, 1).se(-8); // scaling lists: list 0 uses the default
    for (let i = 1; i < (chroma === 3 ? 12 : 8); i++) writer.bits(0, 1);
  }
  writer.ue(4).ue(fields.orderCountType);
  if (fields.orderCountType === 0) writer.ue(4);
  if (fields.orderCountType === 1) writer.bits(0, 1).se(-3).se(5).ue(2).se(1).se(-1);
  writer.ue(3).bits(0, 1).ue(fields.widthInBlocks - 1).ue(fields.heightInUnits - 1); // prettier-ignore
  writer.bits(fields.interlaced ? 0 : 1, 1);
  if (fields.interlaced) writer.bits(0, 1);
  writer.bits(1, 1).bits(fields.crop ? 1 : 0, 1);
  for (const side of fields.crop ?? []) writer.ue(side);
  writeVui(writer, fields);
  writer.bits(1, 1);
  return Buffer.concat([Buffer.from([0x67]), withEmulationPrevention(writer.bytes())]);
}

function writeVui(writer: BitWriter, { sar, timing }: SpsFields): void {
  writer.bits(sar || timing ? 1 : 0, 1);
  if (!sar && !timing) return;
  writer.bits(sar ? 1 : 0, 1);
  if (sar) writer.bits(255, 8).bits(sar[0], 16).bits(sar[1], 16);
  writer.bits(0, 1); // overscan
  writer.bits(1, 1).bits(0, 4).bits(1, 1).bits(0x010101, 24); // video signal with colour description
  writer.bits(1, 1).ue(0).ue(0); // chroma location
  writer.bits(timing ? 1 : 0, 1);
  if (timing) writer.bits(timing.unitsInTick, 32).bits(timing.timeScale, 32);
}

/** Inserts the emulation prevention byte 3 after two zeros where a start code could be read otherwise. */
export function withEmulationPrevention(bytes: Buffer): Buffer {
  const escapedBytes: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      escapedBytes.push(3);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    escapedBytes.push(byte);
  }
  return Buffer.from(escapedBytes);
}

const PPS = Buffer.from('68ebe3cb22c0', 'hex');

/** An AVCDecoderConfigurationRecord around one SPS. */
export function avcRecordOf(sps: Buffer, lengthSize = 4): Buffer {
  const head = Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xfc | (lengthSize - 1), 0xe1]);
  const withLength = (nal: Buffer) => Buffer.concat([Buffer.from([nal.length >> 8, nal.length & 0xff]), nal]);
  return Buffer.concat([head, withLength(sps), Buffer.from([1]), withLength(PPS)]);
}

/** Records written by x264, x265 (without its SEI), SVT-AV1, libaom and ffmpeg's AAC encoder. */
export const CONFIG_RECORDS = {
  high320: Buffer.from('0164000dffe100196764000dacd941519e226c38400000fa40003a9803c50a658001000668ebe3cb22c0fdf8f800', 'hex'), // prettier-ignore
  baseline360: Buffer.from('0142c01effe100196742c01ed900a02ff97011000003000100000300320f162e4801000568cb83cb20', 'hex'), // prettier-ignore
  interlaced1080: Buffer.from('014d4028ffe1001a674d4028eca03c0227ef011000000300100000030321f162d96001000568fba3cb20', 'hex'), // prettier-ignore
  tenBit: Buffer.from('016e000affe10019676e000aa6cd9420db011000000300100000030320f122596001000668ebe3cb22c0fdfafa00', 'hex'), // prettier-ignore
  hevc320: Buffer.from('0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff01600000030090000003000003003c959009a10001002b42010101600000030090000003000003003ca00a080c1f3e595912930bc05a020000030002000003003c10a2000100064401c073c189', 'hex'), // prettier-ignore
  hevcHdr640: Buffer.from('0102200000009000000000003ff000fcfdfafa00000f03a00001001840010c01ffff02200000030090000003000003003f959409a10001002f42010102200000030090000003000003003fa005020171f2b6595952930bc05a848804820000030002000003003210a2000100064401c073c189', 'hex'), // prettier-ignore
  av1320: Buffer.from('81000c000a0b000000043cfecc02f80040', 'hex'),
  av1Hlg322: Buffer.from('81004c000a0e000000043d06d4daf95091209040', 'hex'),
  aacStereo48: Buffer.from('119056e500', 'hex'),
  aacMono44: Buffer.from('120856e500', 'hex'),
  aac51: Buffer.from('11b056e500', 'hex'),
} as const;
