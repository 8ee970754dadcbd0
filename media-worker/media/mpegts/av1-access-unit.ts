import { isAv1Keyframe } from '@/media-worker/media/cmaf/av1-config';
import { withoutEmulationPrevention } from '@/media-worker/media/cmaf/nal-units';
import { readObus, writeSizedObu } from '@/media-worker/media/cmaf/obu';
import type { CodedFrame } from './avc-access-unit';

const START_CODE = Buffer.from([0, 0, 1]);
const HAS_SIZE = 0x02;

/**
 * A temporal unit of AV1 in the low-overhead format, from a PES packet. Most encoders put a start code before each OBU and
 * emulation prevention bytes into it (https://github.com/AOMediaCodec/av1-mpeg2-ts).
 * @returns null if the packet has no OBU
 */
export function buildAv1Frame(accessUnit: Buffer): CodedFrame | null {
  const start = accessUnit.indexOf(START_CODE);
  const hasStartCodes = start === 0 || (start === 1 && accessUnit[0] === 0);
  const payload = hasStartCodes ? Buffer.concat(readUnits(accessUnit, start)) : accessUnit;
  const isEmpty = readObus(payload).next().done === true;
  return isEmpty ? null : { key: isAv1Keyframe(payload), payload };
}

/** The OBUs after the start codes, with size fields. Zeros after an OBU are not part of it. */
function readUnits(bytes: Buffer, firstStart: number): Buffer[] {
  const units: Buffer[] = [];
  for (let start = firstStart; start !== -1;) {
    const from = start + START_CODE.length;
    start = bytes.indexOf(START_CODE, from);
    const escaped = bytes.subarray(from, start === -1 ? bytes.length : start);
    const [obu] = readObus(Buffer.from(withoutEmulationPrevention(escaped)));
    if (obu)
      units.push(
        (obu.bytes.readUInt8(0) & HAS_SIZE) === 0 ? writeSizedObu(obu.type, obu.payload) : obu.bytes,
      );
  }
  return units;
}
