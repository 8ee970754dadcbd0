import { describe, expect, it } from 'vitest';
import { isAvcKeyframe } from './avc-keyframe';
import { prefixWithLengths } from './nal-units';

const frameOf = (...units: string[]): Buffer =>
  prefixWithLengths(units.map((unit) => Buffer.from(unit, 'hex')));

const delimiter = '09f0';
const sps = '6764000d';
const userData = '0605041122334480';
const recoveryPoint = '060601c480';
const idrSlice = '65888400';
const iSlice = '61888400';
const pSlice = '419a0200';
const bSlice = '019e0200';

/** `null`: only the publisher's keyframe flag can tell. */
describe('isAvcKeyframe', () => {
  it.each([
    ['an IDR picture', [idrSlice], true],
    ['an IDR picture after parameter sets', [delimiter, sps, userData, idrSlice], true],
    ['an IDR picture after a recovery point', [recoveryPoint, idrSlice], true],
    ['a P picture', [delimiter, userData, pSlice], false],
    ['a B picture', [bSlice], false],
    ['an I picture', [iSlice], null],
    ['a gradual refresh', [recoveryPoint, pSlice], null],
    ['a gradual refresh after parameter sets', [sps, pSlice], null],
    ['no picture', [userData], null],
    ['a truncated slice', ['41'], null],
  ])('for %s (NAL units %j) is %j', (_name, units, expected) => {
    expect(isAvcKeyframe(frameOf(...units), 4)).toBe(expected);
  });

  it('for an empty frame is null', () => {
    expect(isAvcKeyframe(Buffer.alloc(0), 4)).toBeNull();
  });
});
